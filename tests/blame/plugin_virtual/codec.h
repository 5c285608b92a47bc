struct Codec {
    virtual ~Codec() {}
    virtual unsigned encode(unsigned r) = 0;
};
extern "C" Codec *codec_new();
