import { BlobSource, BufferTarget, EncodedAudioPacketSource, EncodedPacketSink, Input, OggOutputFormat, Output, WEBM } from 'mediabunny'

/** Opus in WebM, as browsers record it, packed anew and so without loss; null: it is something else. */
export async function ogg(recording: Blob): Promise<ArrayBuffer | null> {
  using input = new Input({ source: new BlobSource(recording), formats: [WEBM] })
  const track = await input.getPrimaryAudioTrack()
  if (!track || (await track.getCodec()) !== 'opus') return null
  const decoderConfig = (await track.getDecoderConfig())!
  const output = new Output({ format: new OggOutputFormat(), target: new BufferTarget() })
  const packets = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(packets)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets()) await packets.add(packet, { decoderConfig })
  await output.finalize()
  return output.target.buffer
}
