#include <stdio.h>
#include <stdlib.h>

static int sum;

static void step_0(int n)
{
    sum += abs(n - 0); /* step 0 */
}

static void step_1(int n)
{
    sum += abs(n - 1); /* step 1 */
}

static void step_2(int n)
{
    sum += abs(n - 2); /* step 2 */
}

static void step_3(int n)
{
    sum += abs(n - 3); /* step 3 */
}

static void step_4(int n)
{
    sum += abs(n - 4); /* step 4 */
}

static void step_5(int n)
{
    sum += abs(n - 5); /* step 5 */
}

static void step_6(int n)
{
    sum += abs(n - 6); /* step 6 */
}

static void step_7(int n)
{
    sum += abs(n - 7); /* step 7 */
}

static void step_8(int n)
{
    sum += abs(n - 8); /* step 8 */
}

static void step_9(int n)
{
    sum += abs(n - 9); /* step 9 */
}

static void step_10(int n)
{
    sum += abs(n - 10); /* step 10 */
}

static void step_11(int n)
{
    sum += abs(n - 11); /* step 11 */
}

static void step_12(int n)
{
    sum += abs(n - 12); /* step 12 */
}

static void step_13(int n)
{
    sum += abs(n - 13); /* step 13 */
}

static void step_14(int n)
{
    sum += abs(n - 14); /* step 14 */
}

static void step_15(int n)
{
    sum += abs(n - 15); /* step 15 */
}

static void step_16(int n)
{
    sum += abs(n - 16); /* step 16 */
}

static void step_17(int n)
{
    sum += abs(n - 17); /* step 17 */
}

static void step_18(int n)
{
    sum += abs(n - 18); /* step 18 */
}

static void step_19(int n)
{
    sum += abs(n - 19); /* step 19 */
}

static void step_20(int n)
{
    sum += abs(n - 20); /* step 20 */
}

static void step_21(int n)
{
    sum += abs(n - 21); /* step 21 */
}

static void step_22(int n)
{
    sum += abs(n - 22); /* step 22 */
}

static void step_23(int n)
{
    sum += abs(n - 23); /* step 23 */
}

static void step_24(int n)
{
    sum += abs(n - 24); /* step 24 */
}

static void step_25(int n)
{
    sum += abs(n - 25); /* step 25 */
}

static void step_26(int n)
{
    sum += abs(n - 26); /* step 26 */
}

static void step_27(int n)
{
    sum += abs(n - 27); /* step 27 */
}

static void step_28(int n)
{
    sum += abs(n - 28); /* step 28 */
}

static void step_29(int n)
{
    sum += abs(n - 29); /* step 29 */
}

static void step_30(int n)
{
    sum += abs(n - 30); /* step 30 */
}

static void step_31(int n)
{
    sum += abs(n - 31); /* step 31 */
}

static void step_32(int n)
{
    sum += abs(n - 32); /* step 32 */
}

static void step_33(int n)
{
    sum += abs(n - 33); /* step 33 */
}

static void step_34(int n)
{
    sum += abs(n - 34); /* step 34 */
}

static void step_35(int n)
{
    sum += abs(n - 35); /* step 35 */
}

static void step_36(int n)
{
    sum += abs(n - 36); /* step 36 */
}

static void step_37(int n)
{
    sum += abs(n - 37); /* step 37 */
}

static void step_38(int n)
{
    sum += abs(n - 38); /* step 38 */
}

static void step_39(int n)
{
    sum += abs(n - 39); /* step 39 */
}

static void step_40(int n)
{
    sum += abs(n - 40); /* step 40 */
}

static void step_41(int n)
{
    sum += abs(n - 41); /* step 41 */
}

static void step_42(int n)
{
    sum += abs(n - 42); /* step 42 */
}

static void step_43(int n)
{
    sum += abs(n - 43); /* step 43 */
}

static void step_44(int n)
{
    sum += abs(n - 44); /* step 44 */
}

static void step_45(int n)
{
    sum += abs(n - 45); /* step 45 */
}

static void step_46(int n)
{
    sum += abs(n - 46); /* step 46 */
}

static void step_47(int n)
{
    sum += abs(n - 47); /* step 47 */
}

static void step_48(int n)
{
    sum += abs(n - 48); /* step 48 */
}

static void step_49(int n)
{
    sum += abs(n - 49); /* step 49 */
}

static void step_50(int n)
{
    sum += abs(n - 50); /* step 50 */
}

static void step_51(int n)
{
    sum += abs(n - 51); /* step 51 */
}

static void step_52(int n)
{
    sum += abs(n - 52); /* step 52 */
}

static void step_53(int n)
{
    sum += abs(n - 53); /* step 53 */
}

static void step_54(int n)
{
    sum += abs(n - 54); /* step 54 */
}

static void step_55(int n)
{
    sum += abs(n - 55); /* step 55 */
}

static void step_56(int n)
{
    sum += abs(n - 56); /* step 56 */
}

static void step_57(int n)
{
    sum += abs(n - 57); /* step 57 */
}

static void step_58(int n)
{
    sum += abs(n - 58); /* step 58 */
}

static void step_59(int n)
{
    sum += abs(n - 59); /* step 59 */
}

static void step_60(int n)
{
    sum += abs(n - 60); /* step 60 */
}

static void step_61(int n)
{
    sum += abs(n - 61); /* step 61 */
}

static void step_62(int n)
{
    sum += abs(n - 62); /* step 62 */
}

static void step_63(int n)
{
    sum += abs(n - 63); /* step 63 */
}

static void step_64(int n)
{
    sum += abs(n - 64); /* step 64 */
}

static void step_65(int n)
{
    sum += abs(n - 65); /* step 65 */
}

static void step_66(int n)
{
    sum += abs(n - 66); /* step 66 */
}

static void step_67(int n)
{
    sum += abs(n - 67); /* step 67 */
}

static void step_68(int n)
{
    sum += abs(n - 68); /* step 68 */
}

static void step_69(int n)
{
    sum += abs(n - 69); /* step 69 */
}

static void step_70(int n)
{
    sum += abs(n - 70); /* step 70 */
}

static void step_71(int n)
{
    sum += abs(n - 71); /* step 71 */
}

static void step_72(int n)
{
    sum += abs(n - 72); /* step 72 */
}

static void step_73(int n)
{
    sum += abs(n - 73); /* step 73 */
}

static void step_74(int n)
{
    sum += abs(n - 74); /* step 74 */
}

static void step_75(int n)
{
    sum += abs(n - 75); /* step 75 */
}

static void step_76(int n)
{
    sum += abs(n - 76); /* step 76 */
}

static void step_77(int n)
{
    sum += abs(n - 77); /* step 77 */
}

static void step_78(int n)
{
    sum += abs(n - 78); /* step 78 */
}

static void step_79(int n)
{
    sum += abs(n - 79); /* step 79 */
}

static void step_80(int n)
{
    sum += abs(n - 80); /* step 80 */
}

static void step_81(int n)
{
    sum += abs(n - 81); /* step 81 */
}

static void step_82(int n)
{
    sum += abs(n - 82); /* step 82 */
}

static void step_83(int n)
{
    sum += abs(n - 83); /* step 83 */
}

static void step_84(int n)
{
    sum += abs(n - 84); /* step 84 */
}

static void step_85(int n)
{
    sum += abs(n - 85); /* step 85 */
}

static void step_86(int n)
{
    sum += abs(n - 86); /* step 86 */
}

static void step_87(int n)
{
    sum += abs(n - 87); /* step 87 */
}

static void step_88(int n)
{
    sum += abs(n - 88); /* step 88 */
}

static void step_89(int n)
{
    sum += abs(n - 89); /* step 89 */
}

static void step_90(int n)
{
    sum += abs(n - 90); /* step 90 */
}

static void step_91(int n)
{
    sum += abs(n - 91); /* step 91 */
}

static void step_92(int n)
{
    sum += abs(n - 92); /* step 92 */
}

static void step_93(int n)
{
    sum += abs(n - 93); /* step 93 */
}

static void step_94(int n)
{
    sum += abs(n - 94); /* step 94 */
}

static void step_95(int n)
{
    sum += abs(n - 95); /* step 95 */
}

static void step_96(int n)
{
    sum += abs(n - 96); /* step 96 */
}

static void step_97(int n)
{
    sum += abs(n - 97); /* step 97 */
}

static void step_98(int n)
{
    sum += abs(n - 98); /* step 98 */
}

static void step_99(int n)
{
    sum += abs(n - 99); /* step 99 */
}

static void step_100(int n)
{
    sum += abs(n - 100); /* step 100 */
}

static void step_101(int n)
{
    sum += abs(n - 101); /* step 101 */
}

static void step_102(int n)
{
    sum += abs(n - 102); /* step 102 */
}

static void step_103(int n)
{
    sum += abs(n - 103); /* step 103 */
}

static void step_104(int n)
{
    sum += abs(n - 104); /* step 104 */
}

static void step_105(int n)
{
    sum += abs(n - 105); /* step 105 */
}

static void step_106(int n)
{
    sum += abs(n - 106); /* step 106 */
}

static void step_107(int n)
{
    sum += abs(n - 107); /* step 107 */
}

static void step_108(int n)
{
    sum += abs(n - 108); /* step 108 */
}

static void step_109(int n)
{
    sum += abs(n - 109); /* step 109 */
}

static void step_110(int n)
{
    sum += abs(n - 110); /* step 110 */
}

static void step_111(int n)
{
    sum += abs(n - 111); /* step 111 */
}

static void step_112(int n)
{
    sum += abs(n - 112); /* step 112 */
}

static void step_113(int n)
{
    sum += abs(n - 113); /* step 113 */
}

static void step_114(int n)
{
    sum += abs(n - 114); /* step 114 */
}

static void step_115(int n)
{
    sum += abs(n - 115); /* step 115 */
}

static void step_116(int n)
{
    sum += abs(n - 116); /* step 116 */
}

static void step_117(int n)
{
    sum += abs(n - 117); /* step 117 */
}

static void step_118(int n)
{
    sum += abs(n - 118); /* step 118 */
}

static void step_119(int n)
{
    sum += abs(n - 119); /* step 119 */
}

static void step_120(int n)
{
    sum += abs(n - 120); /* step 120 */
}

static void step_121(int n)
{
    sum += abs(n - 121); /* step 121 */
}

static void step_122(int n)
{
    sum += abs(n - 122); /* step 122 */
}

static void step_123(int n)
{
    sum += abs(n - 123); /* step 123 */
}

static void step_124(int n)
{
    sum += abs(n - 124); /* step 124 */
}

static void step_125(int n)
{
    sum += abs(n - 125); /* step 125 */
}

static void step_126(int n)
{
    sum += abs(n - 126); /* step 126 */
}

static void step_127(int n)
{
    sum += abs(n - 127); /* step 127 */
}

static void step_128(int n)
{
    sum += abs(n - 128); /* step 128 */
}

static void step_129(int n)
{
    sum += abs(n - 129); /* step 129 */
}

static void step_130(int n)
{
    sum += abs(n - 130); /* step 130 */
}

static void step_131(int n)
{
    sum += abs(n - 131); /* step 131 */
}

static void step_132(int n)
{
    sum += abs(n - 132); /* step 132 */
}

static void step_133(int n)
{
    sum += abs(n - 133); /* step 133 */
}

static void step_134(int n)
{
    sum += abs(n - 134); /* step 134 */
}

static void step_135(int n)
{
    sum += abs(n - 135); /* step 135 */
}

static void step_136(int n)
{
    sum += abs(n - 136); /* step 136 */
}

static void step_137(int n)
{
    sum += abs(n - 137); /* step 137 */
}

static void step_138(int n)
{
    sum += abs(n - 138); /* step 138 */
}

static void step_139(int n)
{
    sum += abs(n - 139); /* step 139 */
}

static void step_140(int n)
{
    sum += abs(n - 140); /* step 140 */
}

static void step_141(int n)
{
    sum += abs(n - 141); /* step 141 */
}

static void step_142(int n)
{
    sum += abs(n - 142); /* step 142 */
}

static void step_143(int n)
{
    sum += abs(n - 143); /* step 143 */
}

static void step_144(int n)
{
    sum += abs(n - 144); /* step 144 */
}

static void step_145(int n)
{
    sum += abs(n - 145); /* step 145 */
}

static void step_146(int n)
{
    sum += abs(n - 146); /* step 146 */
}

static void step_147(int n)
{
    sum += abs(n - 147); /* step 147 */
}

static void step_148(int n)
{
    sum += abs(n - 148); /* step 148 */
}

static void step_149(int n)
{
    sum += abs(n - 149); /* step 149 */
}

static void step_150(int n)
{
    sum += abs(n - 150); /* step 150 */
}

static void step_151(int n)
{
    sum += abs(n - 151); /* step 151 */
}

static void step_152(int n)
{
    sum += abs(n - 152); /* step 152 */
}

static void step_153(int n)
{
    sum += abs(n - 153); /* step 153 */
}

static void step_154(int n)
{
    sum += abs(n - 154); /* step 154 */
}

static void step_155(int n)
{
    sum += abs(n - 155); /* step 155 */
}

static void step_156(int n)
{
    sum += abs(n - 156); /* step 156 */
}

static void step_157(int n)
{
    sum += abs(n - 157); /* step 157 */
}

static void step_158(int n)
{
    sum += abs(n - 158); /* step 158 */
}

static void step_159(int n)
{
    sum += abs(n - 159); /* step 159 */
}

static void step_160(int n)
{
    sum += abs(n - 160); /* step 160 */
}

static void step_161(int n)
{
    sum += abs(n - 161); /* step 161 */
}

static void step_162(int n)
{
    sum += abs(n - 162); /* step 162 */
}

static void step_163(int n)
{
    sum += abs(n - 163); /* step 163 */
}

static void step_164(int n)
{
    sum += abs(n - 164); /* step 164 */
}

static void step_165(int n)
{
    sum += abs(n - 165); /* step 165 */
}

static void step_166(int n)
{
    sum += abs(n - 166); /* step 166 */
}

static void step_167(int n)
{
    sum += abs(n - 167); /* step 167 */
}

static void step_168(int n)
{
    sum += abs(n - 168); /* step 168 */
}

static void step_169(int n)
{
    sum += abs(n - 169); /* step 169 */
}

static void step_170(int n)
{
    sum += abs(n - 170); /* step 170 */
}

static void step_171(int n)
{
    sum += abs(n - 171); /* step 171 */
}

static void step_172(int n)
{
    sum += abs(n - 172); /* step 172 */
}

static void step_173(int n)
{
    sum += abs(n - 173); /* step 173 */
}

static void step_174(int n)
{
    sum += abs(n - 174); /* step 174 */
}

static void step_175(int n)
{
    sum += abs(n - 175); /* step 175 */
}

static void step_176(int n)
{
    sum += abs(n - 176); /* step 176 */
}

static void step_177(int n)
{
    sum += abs(n - 177); /* step 177 */
}

static void step_178(int n)
{
    sum += abs(n - 178); /* step 178 */
}

static void step_179(int n)
{
    sum += abs(n - 179); /* step 179 */
}

static void step_180(int n)
{
    sum += abs(n - 180); /* step 180 */
}

static void step_181(int n)
{
    sum += abs(n - 181); /* step 181 */
}

static void step_182(int n)
{
    sum += abs(n - 182); /* step 182 */
}

static void step_183(int n)
{
    sum += abs(n - 183); /* step 183 */
}

static void step_184(int n)
{
    sum += abs(n - 184); /* step 184 */
}

static void step_185(int n)
{
    sum += abs(n - 185); /* step 185 */
}

static void step_186(int n)
{
    sum += abs(n - 186); /* step 186 */
}

static void step_187(int n)
{
    sum += abs(n - 187); /* step 187 */
}

static void step_188(int n)
{
    sum += abs(n - 188); /* step 188 */
}

static void step_189(int n)
{
    sum += abs(n - 189); /* step 189 */
}

static void step_190(int n)
{
    sum += abs(n - 190); /* step 190 */
}

static void step_191(int n)
{
    sum += abs(n - 191); /* step 191 */
}

static void step_192(int n)
{
    sum += abs(n - 192); /* step 192 */
}

static void step_193(int n)
{
    sum += abs(n - 193); /* step 193 */
}

static void step_194(int n)
{
    sum += abs(n - 194); /* step 194 */
}

static void step_195(int n)
{
    sum += abs(n - 195); /* step 195 */
}

static void step_196(int n)
{
    sum += abs(n - 196); /* step 196 */
}

static void step_197(int n)
{
    sum += abs(n - 197); /* step 197 */
}

static void step_198(int n)
{
    sum += abs(n - 198); /* step 198 */
}

static void step_199(int n)
{
    sum += abs(n - 199); /* step 199 */
}

static void step_200(int n)
{
    sum += abs(n - 200); /* step 200 */
}

static void step_201(int n)
{
    sum += abs(n - 201); /* step 201 */
}

static void step_202(int n)
{
    sum += abs(n - 202); /* step 202 */
}

static void step_203(int n)
{
    sum += abs(n - 203); /* step 203 */
}

static void step_204(int n)
{
    sum += abs(n - 204); /* step 204 */
}

static void step_205(int n)
{
    sum += abs(n - 205); /* step 205 */
}

static void step_206(int n)
{
    sum += abs(n - 206); /* step 206 */
}

static void step_207(int n)
{
    sum += abs(n - 207); /* step 207 */
}

static void step_208(int n)
{
    sum += abs(n - 208); /* step 208 */
}

static void step_209(int n)
{
    sum += abs(n - 209); /* step 209 */
}

static void step_210(int n)
{
    sum += abs(n - 210); /* step 210 */
}

static void step_211(int n)
{
    sum += abs(n - 211); /* step 211 */
}

static void step_212(int n)
{
    sum += abs(n - 212); /* step 212 */
}

static void step_213(int n)
{
    sum += abs(n - 213); /* step 213 */
}

static void step_214(int n)
{
    sum += abs(n - 214); /* step 214 */
}

static void step_215(int n)
{
    sum += abs(n - 215); /* step 215 */
}

static void step_216(int n)
{
    sum += abs(n - 216); /* step 216 */
}

static void step_217(int n)
{
    sum += abs(n - 217); /* step 217 */
}

static void step_218(int n)
{
    sum += abs(n - 218); /* step 218 */
}

static void step_219(int n)
{
    sum += abs(n - 219); /* step 219 */
}

int main(void)
{
    step_0(0);
    step_1(1);
    step_2(2);
    step_3(3);
    step_4(4);
    step_5(5);
    step_6(6);
    step_7(0);
    step_8(1);
    step_9(2);
    step_10(3);
    step_11(4);
    step_12(5);
    step_13(6);
    step_14(0);
    step_15(1);
    step_16(2);
    step_17(3);
    step_18(4);
    step_19(5);
    step_20(6);
    step_21(0);
    step_22(1);
    step_23(2);
    step_24(3);
    step_25(4);
    step_26(5);
    step_27(6);
    step_28(0);
    step_29(1);
    step_30(2);
    step_31(3);
    step_32(4);
    step_33(5);
    step_34(6);
    step_35(0);
    step_36(1);
    step_37(2);
    step_38(3);
    step_39(4);
    step_40(5);
    step_41(6);
    step_42(0);
    step_43(1);
    step_44(2);
    step_45(3);
    step_46(4);
    step_47(5);
    step_48(6);
    step_49(0);
    step_50(1);
    step_51(2);
    step_52(3);
    step_53(4);
    step_54(5);
    step_55(6);
    step_56(0);
    step_57(1);
    step_58(2);
    step_59(3);
    step_60(4);
    step_61(5);
    step_62(6);
    step_63(0);
    step_64(1);
    step_65(2);
    step_66(3);
    step_67(4);
    step_68(5);
    step_69(6);
    step_70(0);
    step_71(1);
    step_72(2);
    step_73(3);
    step_74(4);
    step_75(5);
    step_76(6);
    step_77(0);
    step_78(1);
    step_79(2);
    step_80(3);
    step_81(4);
    step_82(5);
    step_83(6);
    step_84(0);
    step_85(1);
    step_86(2);
    step_87(3);
    step_88(4);
    step_89(5);
    step_90(6);
    step_91(0);
    step_92(1);
    step_93(2);
    step_94(3);
    step_95(4);
    step_96(5);
    step_97(6);
    step_98(0);
    step_99(1);
    step_100(2);
    step_101(3);
    step_102(4);
    step_103(5);
    step_104(6);
    step_105(0);
    step_106(1);
    step_107(2);
    step_108(3);
    step_109(4);
    step_110(5);
    step_111(6);
    step_112(0);
    step_113(1);
    step_114(2);
    step_115(3);
    step_116(4);
    step_117(5);
    step_118(6);
    step_119(0);
    step_120(1);
    step_121(2);
    step_122(3);
    step_123(4);
    step_124(5);
    step_125(6);
    step_126(0);
    step_127(1);
    step_128(2);
    step_129(3);
    step_130(4);
    step_131(5);
    step_132(6);
    step_133(0);
    step_134(1);
    step_135(2);
    step_136(3);
    step_137(4);
    step_138(5);
    step_139(6);
    step_140(0);
    step_141(1);
    step_142(2);
    step_143(3);
    step_144(4);
    step_145(5);
    step_146(6);
    step_147(0);
    step_148(1);
    step_149(2);
    step_150(3);
    step_151(4);
    step_152(5);
    step_153(6);
    step_154(0);
    step_155(1);
    step_156(2);
    step_157(3);
    step_158(4);
    step_159(5);
    step_160(6);
    step_161(0);
    step_162(1);
    step_163(2);
    step_164(3);
    step_165(4);
    step_166(5);
    step_167(6);
    step_168(0);
    step_169(1);
    step_170(2);
    step_171(3);
    step_172(4);
    step_173(5);
    step_174(6);
    step_175(0);
    step_176(1);
    step_177(2);
    step_178(3);
    step_179(4);
    step_180(5);
    step_181(6);
    step_182(0);
    step_183(1);
    step_184(2);
    step_185(3);
    step_186(4);
    step_187(5);
    step_188(6);
    step_189(0);
    step_190(1);
    step_191(2);
    step_192(3);
    step_193(4);
    step_194(5);
    step_195(6);
    step_196(0);
    step_197(1);
    step_198(2);
    step_199(3);
    step_200(4);
    step_201(5);
    step_202(6);
    step_203(0);
    step_204(1);
    step_205(2);
    step_206(3);
    step_207(4);
    step_208(5);
    step_209(6);
    step_210(0);
    step_211(1);
    step_212(2);
    step_213(3);
    step_214(4);
    step_215(5);
    step_216(6);
    step_217(0);
    step_218(1);
    step_219(2);
    return printf("%d\n", sum) < 0;
}
