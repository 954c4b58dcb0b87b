import { BlobSource, BufferTarget, EncodedAudioPacketSource, EncodedPacketSink, Input, OggOutputFormat, Output, WEBM } from 'mediabunny'

/** Repackages Opus from WebM into Ogg without loss; null for any other input. */
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
