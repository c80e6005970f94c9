// Encodes pictures as video. H.264 comes first, because every player supports it; some builds have no encoder for it.
export function openVideoEncoder() {
  let encoder, context, options
  const packets = []
  const decoder = { codec: '', codedWidth: 0, codedHeight: 0 }
  const base64 = (bytes) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    return btoa(text)
  }
  const bitmapOf = async (jpeg) => createImageBitmap(await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob())
  const output = (chunk, meta) => {
    const bytes = new Uint8Array(chunk.byteLength)
    chunk.copyTo(bytes)
    const times = { atMs: chunk.timestamp / 1000, durationMs: (chunk.duration ?? 0) / 1000 }
    packets.push({ isKey: chunk.type === 'key', ...times, bytes: base64(bytes) })
    const { codec, description } = meta?.decoderConfig ?? {}
    if (codec) decoder.codec = codec
    if (description) decoder.description = base64(new Uint8Array(description.buffer ?? description))
  }
  return {
    async begin(jpeg) {
      const first = await bitmapOf(jpeg)
      // H.264 has no odd sizes.
      const size = { width: first.width & ~1, height: first.height & ~1 }
      /** @type {any} */
      const choices = [
        { ...size, codec: 'avc1.640028', bitrate: 1_500_000, avc: { format: 'avc' } },
        { ...size, codec: 'vp09.00.40.08', bitrateMode: 'quantizer' },
      ]
      for (const config of choices) {
        const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }))
        if (!supported) continue
        Object.assign(decoder, { codec: config.codec, codedWidth: size.width, codedHeight: size.height })
        context = new OffscreenCanvas(size.width, size.height).getContext('2d', { alpha: false })
        encoder = new VideoEncoder({ output, error() {} })
        encoder.configure(config)
        options = config.avc ? {} : { vp9: { quantizer: 36 } }
        return config.codec
      }
    },
    async encode(frames) {
      const { width, height } = context.canvas
      for (const { atMs, durationMs, isKey, jpeg } of frames) {
        if (jpeg) {
          const bitmap = await bitmapOf(jpeg)
          const scale = Math.min(width / bitmap.width, height / bitmap.height)
          context.fillRect(0, 0, width, height)
          context.drawImage(bitmap, 0, 0, bitmap.width * scale, bitmap.height * scale)
          bitmap.close()
        }
        const frame = new VideoFrame(context.canvas, { timestamp: atMs * 1000, duration: durationMs * 1000 })
        encoder.encode(frame, { ...options, keyFrame: isKey })
        frame.close()
        while (encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 2))
      }
      return packets.splice(0)
    },
    async finish() {
      await encoder.flush()
      encoder.close()
      return { rest: packets.splice(0), decoder }
    },
  }
}
