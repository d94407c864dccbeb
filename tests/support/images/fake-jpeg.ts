/** Frames bytes as a JPEG that no decoder can read, which is enough to serve it. */
export const fakeJpeg = (bytes: Buffer): Buffer => {
  const scan = Buffer.from(bytes)
  for (let index = scan.indexOf(0xff); index !== -1; index = scan.indexOf(0xff, index + 1)) scan[index] = 0xfe
  scan.set([0xff, 0xd8, 0xff, 0xda, 0, 2], 0)
  scan.set([0xff, 0xd9], scan.length - 2)
  return scan
}
