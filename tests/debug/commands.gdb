set width 0
set max-value-size unlimited
break stop
run
up
output place
echo \n
output heap
echo \n
output named
echo \n
output flags
echo \n
output wide
echo \n
output bytes
echo \n
output halves
echo \n
output phases
echo \n
output third
echo \n
output large
echo \n
set print elements 4
output place
echo \n
set print elements 200
output empty
echo \n
output record
echo \n
output column
echo \n
output row
echo \n
output backwards
echo \n
output nothing
echo \n
output sum
echo \n
output rows
echo \n
output *recorded
echo \n
output *bad_tensor
echo \n
output *null_tensor
echo \n
output *bad_view
echo \n
output *bad_node
echo \n
continue
up
output a
echo \n
output b
echo \n
output product
echo \n
output total
echo \n
output *total.v.g
echo \n
