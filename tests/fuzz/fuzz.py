#!/usr/bin/env python3
"""Fuzzes the library against NumPy and JAX: writes random programs, compiles and runs them, and shows what differs. See README.md."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import secrets
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent

try:
    import numpy
except ImportError:
    print("skipped: the fuzzer needs numpy")
    sys.exit(0)

from generator import Generator  # noqa: E402
from known import KNOWN  # noqa: E402
import programs  # noqa: E402
import statements as statement_maker  # noqa: E402

GENERATED = {"statement": statement_maker.random_statement}
try:
    import functions as function_maker

    GENERATED["function"] = function_maker.random_function
except ImportError:
    pass


# not optimised, but with kernels in the lanes of what is, as the tests are compiled
LANES_ALONE = ["-O0", "-D__OPTIMIZE__=1", "-DRICCI_INLINING=0"]


class Finding:
    def __init__(self, item, case, message):
        self.item, self.case, self.message = item, case, message


class Configuration:
    """A compiler with its options."""

    def __init__(self, compiler, options, name):
        self.compiler, self.options, self.name = compiler, options, name

    def compile(self, source, target, objects=(), link=True):
        command = [*self.compiler.split(), "-std=c++20", "-w", f"-I{PROJECT / 'include'}", f"-I{HERE}", *self.options]
        command += [str(source), *map(str, objects), "-o", str(target)] if link else ["-c", str(source), "-o", str(target)]
        return subprocess.run(command, capture_output=True, text=True)


def first_error(text):
    lines = [l for l in text.splitlines() if re.search(r"\berror\b", l)]
    return lines[0].split("error:", 1)[-1].strip() if lines else text.strip().splitlines()[-1] if text.strip() else "no message"


class Batch:
    """Statements or functions that are one program."""

    def __init__(self, items, configuration, folder, name, limit):
        self.items, self.configuration, self.folder, self.name, self.limit = items, configuration, folder, name, limit
        self.findings, self.checks, self.compiled = [], 0, 0.0

    def run(self, harness):
        items = self.items
        source, data, program = (self.folder / f"{self.name}{suffix}" for suffix in (".cpp", ".bin", ""))
        start = time.time()
        while items:
            text, spans = programs.source(items)
            source.write_text(text)
            done = self.configuration.compile(source, program, [harness])
            if done.returncode == 0:
                break
            lines = {int(n) for n in re.findall(re.escape(source.name) + r":(\d+)", done.stderr)}
            wrong = [k for k, (first, last) in enumerate(spans) if any(first <= n <= last for n in lines)]
            if not wrong:
                wrong = list(range(len(items))) if len(items) == 1 else []
            if not wrong:  # the compiler names no line: each by itself
                for k, item in enumerate(items):
                    one = Batch([item], self.configuration, self.folder, f"{self.name}_{k}", self.limit)
                    one.run(harness)
                    self.findings += one.findings
                    self.checks += one.checks
                return self
            for k in wrong:
                message = first_error(done.stderr if len(wrong) == 1 else self.message_of(done.stderr, source.name, spans[k]))
                self.findings.append(Finding(items[k], 0, "does not compile: " + message))
            items = [item for k, item in enumerate(items) if k not in wrong]
        self.compiled = time.time() - start
        if items:
            data.write_bytes(programs.packed(items))
            self.execute(program, data, items)
        for path in (source, data, program):
            path.unlink(missing_ok=True)
        return self

    @staticmethod
    def message_of(text, file, span):
        """The first error in whose instantiation a line of the span occurs."""
        for part in re.split(r"(?m)^(?=In file included|\S*" + re.escape(file) + r": In )", text):
            if any(span[0] <= int(n) <= span[1] for n in re.findall(re.escape(file) + r":(\d+)", part)) and "error" in part:
                return part
        return text

    def execute(self, program, data, items):
        first = 0
        while first < len(items):
            try:
                done = subprocess.run([program, data, str(first)], capture_output=True, text=True, errors="replace", timeout=self.limit)
                out, err, status = done.stdout, done.stderr, done.returncode
            except subprocess.TimeoutExpired as e:
                out, err, status = (e.stdout or b"").decode(errors="replace"), "", "too long"
            seen = set()
            for m in re.finditer(r"(?m)^FAIL (\d+) (\d+) (.*)$", out):
                k = int(m[1])
                self.checks += 1
                if k not in seen:
                    seen.add(k)
                    self.findings.append(Finding(items[k], int(m[2]), m[3]))
            done = re.search(r"(?m)^DONE (\d+)$", out)
            if status == 0 and done:
                self.checks += int(done[1])
                return
            reached = [int(n) for n in re.findall(r"(?m)^@(\d+)$", out)]
            k = reached[-1] if reached else first
            reports = re.findall(r"(?m)^(?:==\d+==ERROR: .*|SUMMARY: .*|.*runtime error: .*)$", err)
            what = reports[0] if reports else f"ended with {status}"
            self.findings.append(Finding(items[k], self.crashing_case(program, data, items, k), what[:300]))
            first = k + 1

    def crashing_case(self, program, data, items, k):
        for case in range(len(items[k].cases)):
            try:
                if subprocess.run([program, data, str(k), str(case)], capture_output=True, timeout=self.limit).returncode != 0:
                    return case
            except subprocess.TimeoutExpired:
                return case
        return 0


def make(kind, seed, count, cases, known):
    """`count` items of a kind, each from a seed of its own that makes it again, without those that meet a known fault."""
    out, k = [], 0
    while len(out) < count:
        own = seed * 1000003 + k
        k += 1
        item = GENERATED[kind](own, cases)
        if item is not None and not any(KNOWN[fault](item) for fault in known):
            item.kind, item.seed = kind, own
            out.append(item)
    return out


def make_and_run(job):
    kind, seed, count, cases, known, configuration, folder, name, harness, limit = job
    batch = Batch(make(kind, seed, count, cases, known), configuration, folder, name, limit).run(harness)
    found = []
    for f in batch.findings:
        about = f"{f.item.kind} {f.item.seed}, {configuration.name}: {' '.join([configuration.compiler, *configuration.options])}"
        text = programs.standalone(f.item, min(f.case, len(f.item.cases) - 1), f.message, about)
        size = sum(len(v.dims) for v in f.item.variables) * 100 + len(f.item.groups[0][0][1])
        found.append((size, f.item.kind, f.item.seed, f.message, text))
    return len(batch.items), batch.checks, found


def configurations(arguments):
    flags = arguments.flags.split()
    if arguments.compiler:
        return [Configuration(arguments.compiler, flags, arguments.compiler)]
    # One of four is optimised, which takes twice the time; one of the others runs in the lanes of what is not (core/config.hpp). g++ would
    # collect garbage for a tenth of its time, and keep each plan's constants.
    gnu = [*flags, "--param=ggc-min-heapsize=2000000"]
    return [Configuration("g++", [*gnu, *LANES_ALONE, "-ftoplevel-reorder"], "g++"), Configuration("clang++-19", ["-O0"], "clang"),
            Configuration("g++", [*gnu, "-march=native"], "g++ native"), Configuration("clang++-19", [*LANES_ALONE, "-march=native"], "clang native")]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--statements", type=int, default=200)
    p.add_argument("--functions", type=int, default=30)
    p.add_argument("--seed", type=int, help="default: another one each time; it is printed")
    p.add_argument("--cases", type=int, default=24, help="extents and elements that each statement is tried with")
    p.add_argument("--sanitized", type=float, default=0.1, help="the part that is compiled with address and undefined-behaviour sanitizers")
    p.add_argument("--compiler", help="default: g++ and clang++-19, and both with -march=native")
    p.add_argument("--flags", default="-O1")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--batch", type=int, default=20, help="statements in a program")
    p.add_argument("--folder", type=pathlib.Path, default=PROJECT / "build" / "fuzz")
    p.add_argument("--arrays", type=float, default=Generator.array_weight, help="how often operations of arrays.py are drawn")
    p.add_argument("--known", choices=["avoid", "meet"], default="avoid", help="whether what known.py lists is kept out of the programs")
    p.add_argument("--only", help="one statement or function again: statement:<seed>")
    p.add_argument("--show", type=int, default=20, help="how many findings are printed")
    a = p.parse_args()
    Generator.array_weight = a.arrays

    seed = secrets.randbelow(10**9) if a.seed is None else a.seed
    known = list(KNOWN) if a.known == "avoid" else []
    a.folder.mkdir(parents=True, exist_ok=True)
    found_folder = a.folder / "found"
    found_folder.mkdir(exist_ok=True)

    if a.only:
        kind, own = a.only.split(":")
        item = GENERATED[kind](int(own), a.cases)
        item.kind, item.seed = kind, int(own)
        for k in range(len(item.cases)):
            (a.folder / f"only_{k}.cpp").write_text(programs.standalone(item, k, "?", a.only))
        print(f"{len(item.cases)} programs {a.folder}/only_*.cpp")
        return 0

    normal = configurations(a)
    sanitized = Configuration(a.compiler or "clang++-19",
                              [*LANES_ALONE, "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"], "sanitizers")
    print(f"seed {seed}; {a.statements} statements and {a.functions} functions; "
          f"{len(known)} known faults are avoided", flush=True)
    jobs, used = [], set()
    for kind, count in (("statement", a.statements), ("function", a.functions)):
        if kind not in GENERATED:
            print(f"without {kind}s: jax is not installed")
            continue
        size = a.batch if kind == "statement" else max(1, a.batch // 4)
        for k in range(0, count, size):
            number = len(jobs)
            take_sanitizers = int((k + size) / size * a.sanitized + 0.5) > int(k / size * a.sanitized + 0.5)
            c = sanitized if take_sanitizers else normal[(k // size) % len(normal)]
            used.add(c)
            jobs.append([kind, seed * 10007 + number, min(size, count - k), a.cases, known, c, a.folder, f"batch_{seed}_{number}", None, 120])

    start = time.time()
    harness = {}
    for c in used:
        harness[c] = a.folder / f"run_{seed}_{len(harness)}.o"
        done = c.compile(HERE / "run.cpp", harness[c], link=False)
        if done.returncode != 0:
            print(f"{c.name}: run.cpp does not compile: {done.stderr[-2000:]}")
            return 1
    for j in jobs:
        j[8] = harness[j[5]]
    total = checks = 0
    found = []
    with concurrent.futures.ProcessPoolExecutor(max_workers=a.jobs) as pool:
        for n, c, f in pool.map(make_and_run, jobs):
            total, checks, found = total + n, checks + c, found + f
            for size, kind, own, message, text in f:
                path = found_folder / f"{kind}_{own}.cpp"
                path.write_text(text)
                print(f"{path}: {message}", flush=True)
    for path in harness.values():
        path.unlink(missing_ok=True)
    for size, kind, own, message, text in sorted(found)[: a.show]:
        print(f"\n---- {kind} {own}\n{text}")
    print(f"seed {seed}: {total} statements and functions, {checks} results compared, {len(found)} differ; {time.time() - start:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
