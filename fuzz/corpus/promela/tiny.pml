byte n; active proctype p() { do :: n < 2 -> n++ :: else -> break od; assert(n == 2) }
