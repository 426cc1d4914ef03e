#include "textflag.h"
#include "go_asm.h"

// func plainAVX2(row *byte, size int, ink *uint64, looks *Looks, rows int, frames *frame, words int) int
TEXT ·plainAVX2(SB), NOSPLIT, $0-64
	MOVQ row+0(FP), SI
	MOVQ ink+16(FP), DI
	MOVQ looks+24(FP), R8
	MOVQ rows+32(FP), R9
	MOVQ size+8(FP), R11
	MOVQ $0x2020202020202020, AX
	VMOVQ AX, X0
	VPBROADCASTQ X0, Y0 // blanks
	MOVQ $0xEFEFEFEFEFEFEFEF, AX
	VMOVQ AX, X1
	VPBROADCASTQ X1, Y1 // all but the bit in which '>' and '.' differ
	MOVQ $0x2E2E2E2E2E2E2E2E, AX
	VMOVQ AX, X2
	VPBROADCASTQ X2, Y2 // '.'
	MOVQ $0x2929292929292929, AX
	VMOVQ AX, X3
	VPBROADCASTQ X3, Y3 // ')'

nextRow:
	// Most of what is no plain row is longer. To see that at once costs least, as the
	// branch is often mispredicted.
	CMPB -1(SI)(R11*1), $0x0A
	JNE done
	MOVQ SI, DX
	MOVQ frames+40(FP), BX
	MOVQ words+48(FP), CX
	VPXOR Y4, Y4, Y4 // what is wrong
	VPXOR Y5, Y5, Y5 // the endings

nextWord:
	VMOVDQU (DX), Y6
	VMOVDQU 32(DX), Y7

	VPCMPEQB Y0, Y6, Y8
	VPCMPEQB Y0, Y7, Y9
	VPMOVMSKB Y8, AX
	VPMOVMSKB Y9, R10
	SHLQ $32, R10
	ORQ R10, AX
	NOTQ AX
	MOVQ AX, (DI)

	VPMAXUB frame_least(BX), Y6, Y8
	VPMAXUB frame_least+32(BX), Y7, Y9
	VPMINUB frame_greatest(BX), Y8, Y8
	VPMINUB frame_greatest+32(BX), Y9, Y9
	VPXOR Y6, Y8, Y8
	VPXOR Y7, Y9, Y9
	VPOR Y8, Y4, Y4
	VPOR Y9, Y4, Y4

	VPAND Y1, Y6, Y8
	VPAND Y1, Y7, Y9
	VPCMPEQB Y2, Y8, Y8
	VPCMPEQB Y2, Y9, Y9
	VPCMPEQB Y3, Y6, Y6
	VPCMPEQB Y3, Y7, Y7
	VPOR Y8, Y6, Y6
	VPOR Y9, Y7, Y7
	VPAND frame_ends(BX), Y6, Y6
	VPAND frame_ends+32(BX), Y7, Y7
	VPOR Y6, Y5, Y5
	VPOR Y7, Y5, Y5

	ADDQ $64, DX
	ADDQ $8, DI
	ADDQ $frame__size, BX
	DECQ CX
	JNZ nextWord

	VPTEST Y4, Y4
	JNZ done
	VPTEST Y5, Y5
	SETNE (R8)
	INCQ R8
	ADDQ R11, SI
	DECQ R9
	JNZ nextRow

done:
	MOVQ rows+32(FP), AX
	SUBQ R9, AX
	MOVQ AX, ret+56(FP)
	VZEROUPPER
	RET

// func blanksBMI(ink *uint64, words, rows int, columns *column, n int, counts *uint16)
TEXT ·blanksBMI(SB), NOSPLIT, $0-48
	MOVQ ink+0(FP), SI
	MOVQ words+8(FP), R8
	MOVQ rows+16(FP), R9
	MOVQ columns+24(FP), R10
	MOVQ n+32(FP), R11
	MOVQ counts+40(FP), DI

row:
	MOVQ R10, BX
	MOVQ R11, DX

col:
	MOVL column_byte(BX), AX
	MOVL column_bit(BX), CX
	SHRXQ CX, (SI)(AX*1), AX
	MOVL column_width(BX), CX
	TZCNTQ AX, AX // 64 for 0
	CMPQ AX, CX
	CMOVQGT CX, AX
	MOVW AX, (DI)
	ADDQ $2, DI
	ADDQ $column__size, BX
	DECQ DX
	JNZ col
	LEAQ (SI)(R8*8), SI
	DECQ R9
	JNZ row
	RET

// func masksAVX2(row *byte, words int, m *masks)
TEXT ·masksAVX2(SB), NOSPLIT, $0-24
	MOVQ row+0(FP), SI
	MOVQ words+8(FP), CX
	MOVQ m+16(FP), DI
	MOVL $0x20, AX
	VMOVQ AX, X0
	VPBROADCASTB X0, Y0

nextWord:
	VMOVDQU (SI), Y1
	VMOVDQU 32(SI), Y2
	VPCMPEQB Y0, Y1, Y3
	VPCMPEQB Y0, Y2, Y4
	VPMOVMSKB Y3, AX
	VPMOVMSKB Y4, BX
	VPMOVMSKB Y1, R8
	VPMOVMSKB Y2, R9
	VPCMPGTB Y1, Y0, Y1
	VPCMPGTB Y2, Y0, Y2
	VPMOVMSKB Y1, R10
	VPMOVMSKB Y2, R11
	SHLQ $32, BX
	ORQ BX, AX
	NOTQ AX
	MOVQ AX, masks_ink(DI)
	SHLQ $32, R9
	ORQ R9, R8
	MOVQ R8, masks_beyond(DI)
	SHLQ $32, R11
	ORQ R11, R10
	ANDNQ R10, R8, R10 // bytes are signed: those beyond ASCII are below, too
	MOVQ R10, masks_below(DI)
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ nextWord
	VZEROUPPER
	RET
