# SPDX-License-Identifier: Apache-2.0
#
# S2R: thread numbers in a three-dimensional block of 5 x 3 x 7, 2 x 1 x 2 blocks.
#
# grid: 2 1 2
# block: 5 3 7
# buffer: OUT 13440
# expect: OUT[0..419] = repeat 0x0 0x1 0x2 0x3 0x4
# expect: OUT[420..427] = 0x0 x5 0x1 x3
# expect: OUT[428..435] = 0x1 x2 0x2 x5 0x0
# expect: OUT[436..443] = 0x0 x4 0x1 x4
# expect: OUT[444..451] = 0x1 0x2 x5 0x0 x2
# expect: OUT[452..459] = 0x0 x3 0x1 x5
# expect: OUT[460..467] = 0x2 x5 0x0 x3
# expect: OUT[468..475] = 0x0 x2 0x1 x5 0x2
# expect: OUT[476..483] = 0x2 x4 0x0 x4
# expect: OUT[484..491] = 0x0 0x1 x5 0x2 x2
# expect: OUT[492..499] = 0x2 x3 0x0 x5
# expect: OUT[500..507] = 0x1 x5 0x2 x3
# expect: OUT[508..515] = 0x2 x2 0x0 x5 0x1
# expect: OUT[516..523] = 0x1 x4 0x2 x4
# expect: OUT[524..531] = 0x2 0x0 x5 0x1 x2
# expect: OUT[532..539] = 0x1 x3 0x2 x5
# expect: OUT[540..547] = 0x0 x5 0x1 x3
# expect: OUT[548..555] = 0x1 x2 0x2 x5 0x0
# expect: OUT[556..563] = 0x0 x4 0x1 x4
# expect: OUT[564..571] = 0x1 0x2 x5 0x0 x2
# expect: OUT[572..579] = 0x0 x3 0x1 x5
# expect: OUT[580..587] = 0x2 x5 0x0 x3
# expect: OUT[588..595] = 0x0 x2 0x1 x5 0x2
# expect: OUT[596..603] = 0x2 x4 0x0 x4
# expect: OUT[604..611] = 0x0 0x1 x5 0x2 x2
# expect: OUT[612..619] = 0x2 x3 0x0 x5
# expect: OUT[620..627] = 0x1 x5 0x2 x3
# expect: OUT[628..635] = 0x2 x2 0x0 x5 0x1
# expect: OUT[636..643] = 0x1 x4 0x2 x4
# expect: OUT[644..651] = 0x2 0x0 x5 0x1 x2
# expect: OUT[652..659] = 0x1 x3 0x2 x5
# expect: OUT[660..667] = 0x0 x5 0x1 x3
# expect: OUT[668..675] = 0x1 x2 0x2 x5 0x0
# expect: OUT[676..683] = 0x0 x4 0x1 x4
# expect: OUT[684..691] = 0x1 0x2 x5 0x0 x2
# expect: OUT[692..699] = 0x0 x3 0x1 x5
# expect: OUT[700..707] = 0x2 x5 0x0 x3
# expect: OUT[708..715] = 0x0 x2 0x1 x5 0x2
# expect: OUT[716..723] = 0x2 x4 0x0 x4
# expect: OUT[724..731] = 0x0 0x1 x5 0x2 x2
# expect: OUT[732..739] = 0x2 x3 0x0 x5
# expect: OUT[740..747] = 0x1 x5 0x2 x3
# expect: OUT[748..755] = 0x2 x2 0x0 x5 0x1
# expect: OUT[756..763] = 0x1 x4 0x2 x4
# expect: OUT[764..771] = 0x2 0x0 x5 0x1 x2
# expect: OUT[772..779] = 0x1 x3 0x2 x5
# expect: OUT[780..787] = 0x0 x5 0x1 x3
# expect: OUT[788..795] = 0x1 x2 0x2 x5 0x0
# expect: OUT[796..803] = 0x0 x4 0x1 x4
# expect: OUT[804..811] = 0x1 0x2 x5 0x0 x2
# expect: OUT[812..819] = 0x0 x3 0x1 x5
# expect: OUT[820..827] = 0x2 x5 0x0 x3
# expect: OUT[828..835] = 0x0 x2 0x1 x5 0x2
# expect: OUT[836..839] = fill 0x2
# expect: OUT[840..847] = fill 0x0
# expect: OUT[848..855] = 0x0 x7 0x1
# expect: OUT[856..863] = fill 0x1
# expect: OUT[864..871] = 0x1 x6 0x2 x2
# expect: OUT[872..879] = fill 0x2
# expect: OUT[880..887] = 0x2 x5 0x3 x3
# expect: OUT[888..895] = fill 0x3
# expect: OUT[896..903] = 0x3 x4 0x4 x4
# expect: OUT[904..911] = fill 0x4
# expect: OUT[912..919] = 0x4 x3 0x5 x5
# expect: OUT[920..927] = fill 0x5
# expect: OUT[928..935] = 0x5 x2 0x6 x6
# expect: OUT[936..943] = fill 0x6
# expect: OUT[944..951] = 0x6 0x0 x7
# expect: OUT[952..959] = fill 0x0
# expect: OUT[960..967] = fill 0x1
# expect: OUT[968..975] = 0x1 x7 0x2
# expect: OUT[976..983] = fill 0x2
# expect: OUT[984..991] = 0x2 x6 0x3 x2
# expect: OUT[992..999] = fill 0x3
# expect: OUT[1000..1007] = 0x3 x5 0x4 x3
# expect: OUT[1008..1015] = fill 0x4
# expect: OUT[1016..1023] = 0x4 x4 0x5 x4
# expect: OUT[1024..1031] = fill 0x5
# expect: OUT[1032..1039] = 0x5 x3 0x6 x5
# expect: OUT[1040..1047] = fill 0x6
# expect: OUT[1048..1055] = 0x6 x2 0x0 x6
# expect: OUT[1056..1063] = fill 0x0
# expect: OUT[1064..1071] = 0x0 0x1 x7
# expect: OUT[1072..1079] = fill 0x1
# expect: OUT[1080..1087] = fill 0x2
# expect: OUT[1088..1095] = 0x2 x7 0x3
# expect: OUT[1096..1103] = fill 0x3
# expect: OUT[1104..1111] = 0x3 x6 0x4 x2
# expect: OUT[1112..1119] = fill 0x4
# expect: OUT[1120..1127] = 0x4 x5 0x5 x3
# expect: OUT[1128..1135] = fill 0x5
# expect: OUT[1136..1143] = 0x5 x4 0x6 x4
# expect: OUT[1144..1151] = fill 0x6
# expect: OUT[1152..1159] = 0x6 x3 0x0 x5
# expect: OUT[1160..1167] = fill 0x0
# expect: OUT[1168..1175] = 0x0 x2 0x1 x6
# expect: OUT[1176..1183] = fill 0x1
# expect: OUT[1184..1191] = 0x1 0x2 x7
# expect: OUT[1192..1199] = fill 0x2
# expect: OUT[1200..1207] = fill 0x3
# expect: OUT[1208..1215] = 0x3 x7 0x4
# expect: OUT[1216..1223] = fill 0x4
# expect: OUT[1224..1231] = 0x4 x6 0x5 x2
# expect: OUT[1232..1239] = fill 0x5
# expect: OUT[1240..1247] = 0x5 x5 0x6 x3
# expect: OUT[1248..1255] = fill 0x6
# expect: OUT[1256..1259] = fill 0x6
# expect: OUT[1260..1679] = 0x0 x105 0x1 x105 0x0 x105 0x1 x105
# expect: OUT[1680..2099] = fill 0x0
# expect: OUT[2100..2519] = 0x0 x210 0x1 x210
# expect: OUT[2520..2527] = iota
# expect: OUT[2528..2535] = iota+0x8
# expect: OUT[2536..2543] = iota+0x10
# expect: OUT[2544..2551] = iota+0x18
# expect: OUT[2552..2559] = iota
# expect: OUT[2560..2567] = iota+0x8
# expect: OUT[2568..2575] = iota+0x10
# expect: OUT[2576..2583] = iota+0x18
# expect: OUT[2584..2591] = iota
# expect: OUT[2592..2599] = iota+0x8
# expect: OUT[2600..2607] = iota+0x10
# expect: OUT[2608..2615] = iota+0x18
# expect: OUT[2616..2623] = iota
# expect: OUT[2624..2631] = 0x8 0x0 0x1 0x2 0x3 0x4 0x5 0x6
# expect: OUT[2632..2639] = iota+0x7
# expect: OUT[2640..2647] = iota+0xf
# expect: OUT[2648..2655] = iota+0x17
# expect: OUT[2656..2663] = 0x1f 0x0 0x1 0x2 0x3 0x4 0x5 0x6
# expect: OUT[2664..2671] = iota+0x7
# expect: OUT[2672..2679] = iota+0xf
# expect: OUT[2680..2687] = iota+0x17
# expect: OUT[2688..2695] = 0x1f 0x0 0x1 0x2 0x3 0x4 0x5 0x6
# expect: OUT[2696..2703] = iota+0x7
# expect: OUT[2704..2711] = iota+0xf
# expect: OUT[2712..2719] = iota+0x17
# expect: OUT[2720..2727] = 0x1f 0x0 0x1 0x2 0x3 0x4 0x5 0x6
# expect: OUT[2728..2735] = 0x7 0x8 0x0 0x1 0x2 0x3 0x4 0x5
# expect: OUT[2736..2743] = iota+0x6
# expect: OUT[2744..2751] = iota+0xe
# expect: OUT[2752..2759] = iota+0x16
# expect: OUT[2760..2767] = 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4 0x5
# expect: OUT[2768..2775] = iota+0x6
# expect: OUT[2776..2783] = iota+0xe
# expect: OUT[2784..2791] = iota+0x16
# expect: OUT[2792..2799] = 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4 0x5
# expect: OUT[2800..2807] = iota+0x6
# expect: OUT[2808..2815] = iota+0xe
# expect: OUT[2816..2823] = iota+0x16
# expect: OUT[2824..2831] = 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4 0x5
# expect: OUT[2832..2839] = 0x6 0x7 0x8 0x0 0x1 0x2 0x3 0x4
# expect: OUT[2840..2847] = iota+0x5
# expect: OUT[2848..2855] = iota+0xd
# expect: OUT[2856..2863] = iota+0x15
# expect: OUT[2864..2871] = 0x1d 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4
# expect: OUT[2872..2879] = iota+0x5
# expect: OUT[2880..2887] = iota+0xd
# expect: OUT[2888..2895] = iota+0x15
# expect: OUT[2896..2903] = 0x1d 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4
# expect: OUT[2904..2911] = iota+0x5
# expect: OUT[2912..2919] = iota+0xd
# expect: OUT[2920..2927] = iota+0x15
# expect: OUT[2928..2935] = 0x1d 0x1e 0x1f 0x0 0x1 0x2 0x3 0x4
# expect: OUT[2936..2939] = iota+0x5
.kernel s2r_3d
.param 8
  S2R R8, SR_TID.X
  S2R R9, SR_TID.Y
  S2R R10, SR_TID.Z
  S2R R11, SR_CTAID.X
  S2R R12, SR_CTAID.Y
  S2R R13, SR_CTAID.Z
  S2R R14, SR_LANEID
  IMAD R0, R10, c[0x0][0x4], R9
  IMAD R0, R0, c[0x0][0x0], R8
  // block number
  IMAD R1, R13, c[0x0][0x10], R12
  IMAD R1, R1, c[0x0][0xc], R11
  MOV R2, 0x69
  IMAD R0, R1, R2, R0
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  STG.E [R4+0x0], R8
  STG.E [R4+0x690], R9
  STG.E [R4+0xd20], R10
  STG.E [R4+0x13b0], R11
  STG.E [R4+0x1a40], R12
  STG.E [R4+0x20d0], R13
  STG.E [R4+0x2760], R14
  EXIT
