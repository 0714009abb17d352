// SPDX-License-Identifier: Apache-2.0
//
// CUDA's names of numbers, for device code. Values are the numbers rounded to the type.
#ifndef WG_MATH_CONSTANTS_H
#define WG_MATH_CONSTANTS_H

#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F __int_as_float(0x00000001)
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define CUDART_NEG_ZERO_F __int_as_float(0x80000000)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0x1.6a09e6p-1f
#define CUDART_SQRT_HALF_HI_F 0x1.6a09e6p-1f
#define CUDART_SQRT_HALF_LO_F 0x1.9fcef4p-27f
#define CUDART_SQRT_TWO_F 0x1.6a09e6p+0f
#define CUDART_THIRD_F 0x1.555556p-2f
#define CUDART_PIO4_F 0x1.921fb6p-1f
#define CUDART_PIO2_F 0x1.921fb6p+0f
#define CUDART_3PIO4_F 0x1.2d97c8p+1f
#define CUDART_2_OVER_PI_F 0x1.45f306p-1f
#define CUDART_SQRT_2_OVER_PI_F 0x1.988454p-1f
#define CUDART_PI_F 0x1.921fb6p+1f
#define CUDART_L2E_F 0x1.715476p+0f
#define CUDART_L2T_F 0x1.a934fp+1f
#define CUDART_LG2_F 0x1.344136p-2f
#define CUDART_LGE_F 0x1.bcb7b2p-2f
#define CUDART_LN2_F 0x1.62e43p-1f
#define CUDART_LNT_F 0x1.26bb1cp+1f
#define CUDART_LNPI_F 0x1.250d04p+0f
#define CUDART_TWO_TO_M126_F 0x1p-126f
#define CUDART_TWO_TO_126_F 0x1p126f
#define CUDART_TWO_TO_23_F 0x1p23f
#define CUDART_TWO_TO_24_F 0x1p24f
#define CUDART_TWO_TO_31_F 0x1p31f
#define CUDART_TWO_TO_32_F 0x1p32f

#define CUDART_INF __longlong_as_double(0x7ff0000000000000LL)
#define CUDART_NAN __longlong_as_double((long long)0xfff8000000000000ULL)
#define CUDART_NEG_ZERO __longlong_as_double((long long)0x8000000000000000ULL)
#define CUDART_MIN_DENORM __longlong_as_double(1LL)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 0x1.6a09e667f3bcdp+0
#define CUDART_SQRT_HALF 0x1.6a09e667f3bcdp-1
#define CUDART_THIRD 0x1.5555555555555p-2
#define CUDART_TWOTHIRD 0x1.5555555555555p-1
#define CUDART_PIO4 0x1.921fb54442d18p-1
#define CUDART_PIO2 0x1.921fb54442d18p+0
#define CUDART_PIO2_HI 0x1.921fb54442d18p+0
#define CUDART_PIO2_LO 0x1.1a62633145c07p-54
#define CUDART_3PIO4 0x1.2d97c7f3321d2p+1
#define CUDART_2_OVER_PI 0x1.45f306dc9c883p-1
#define CUDART_PI 0x1.921fb54442d18p+1
#define CUDART_PI_HI 0x1.921fb54442d18p+1
#define CUDART_PI_LO 0x1.1a62633145c07p-53
#define CUDART_SQRT_2PI 0x1.40d931ff62706p+1
#define CUDART_SQRT_PIO2 0x1.40d931ff62706p+0
#define CUDART_L2E 0x1.71547652b82fep+0
#define CUDART_L2T 0x1.a934f0979a371p+1
#define CUDART_LG2 0x1.34413509f79ffp-2
#define CUDART_LGE 0x1.bcb7b1526e50ep-2
#define CUDART_LN2 0x1.62e42fefa39efp-1
#define CUDART_LNT 0x1.26bb1bbb55516p+1
#define CUDART_LNPI 0x1.250d048e7a1bdp+0
#define CUDART_LN2_X_1024 0x1.62e42fefa39efp+9
#define CUDART_LOG2_10 0x1.a934f0979a371p+1

#endif
