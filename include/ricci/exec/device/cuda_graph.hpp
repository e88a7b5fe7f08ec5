// Graphs of CUDA: what is queued once, recorded, and launched as often as one likes by one call. It is recorded on a
// stream and with a handle of cuBLAS that nothing else uses, so what other threads queue meanwhile is executed as ever.
#pragma once

#include <ricci/exec/device/cuda.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

// What the device does with it is done beside the host: it may go while it is executed.
class recorded_work {
 public:
  recorded_work() = default;
  recorded_work(recorded_work const&) = delete;
  ~recorded_work() { clear(); }
  bool is_there() const { return graph_ != nullptr; }
  void clear() {
    if (!graph_) return;
    keep_unsaid(state_of(device_), cudaGraphExecDestroy(graph_));
    graph_ = nullptr;
  }
  void launch() const {
    RICCI_CUDA(cudaGraphLaunch(graph_, state_of(device_).compute));
    note_queued(device_);
  }

  // How much memory of the device cuBLAS wants for its products: it would allocate it while they are recorded.
  static index_t room_of_products(int device) {
    int major = 0;
    RICCI_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    return index_t(major >= 9 ? 32 : 4) << 20;  // what it takes by itself, so that it computes as ever
  }
  // Records what `queue(with)` queues; `room`: for products, null where there are none. False where that cannot be
  // recorded: nothing has been executed then, either.
  bool record(int device, void* room, index_t bytes_of_room, void (*queue)(void const*), void const* with) {
#if RICCI_EXCEPTIONS
    clear();
    device_ = device;
    use_device(device);
    device_state& s = state_of(device);
    initializing const only(s.recording);
    if (!s.record) RICCI_CUDA(cudaStreamCreateWithFlags(&s.record, cudaStreamNonBlocking));
    if (room) {
      if (!s.record_blas) RICCI_CUDA(cublasCreate(&s.record_blas));
      RICCI_CUDA(cublasSetStream(s.record_blas, s.record));
      RICCI_CUDA(cublasSetWorkspace(s.record_blas, room, static_cast<std::size_t>(bytes_of_room)));
    }
    RICCI_CUDA(cudaStreamBeginCapture(s.record, cudaStreamCaptureModeThreadLocal));
    noted = {false, false, true};
    try {
      queue(with);
    } catch (...) {
      bool const could_be = !is_of_recording(ended(s).status) && !noted.meets_host;
      if (could_be) throw;
      (void)cudaGetLastError();
      return false;
    }
    ended const e(s);
    if (is_of_recording(e.status)) {
      (void)cudaGetLastError();
      return false;
    }
    check(e.status, "cudaStreamEndCapture at " __FILE__);
    RICCI_CUDA(cudaGraphInstantiate(&graph_, e.graph, 0));
    return true;
#else
    (void)device, (void)room, (void)bytes_of_room, (void)queue, (void)with;
    return false;  // an error while it is recorded could not be told
#endif
  }

 private:
  struct ended {
    device_state& state;
    cudaGraph_t graph = nullptr;
    cudaError_t status;
    explicit ended(device_state& s) : state(s), status(cudaStreamEndCapture(s.record, &graph)) {
      noted.is_recorded = false;
    }
    ended(ended const&) = delete;
    ~ended() {
      if (graph) keep_unsaid(state, cudaGraphDestroy(graph));
    }
  };
  // something was called that cannot be recorded
  static bool is_of_recording(cudaError_t status) {
    return status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
  }

  cudaGraphExec_t graph_ = nullptr;
  int device_ = 0;
};

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
