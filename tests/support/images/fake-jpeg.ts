/** Bytes framed as a JPEG that no decoder can read. Serving an image needs no more. */
export const fakeJpeg = (bytes: Buffer): Buffer => {
  const scan = Buffer.from(bytes)
  for (let at = scan.indexOf(0xff); at !== -1; at = scan.indexOf(0xff, at + 1)) scan[at] = 0xfe
  scan.set([0xff, 0xd8, 0xff, 0xda, 0, 2], 0)
  scan.set([0xff, 0xd9], scan.length - 2)
  return scan
}
