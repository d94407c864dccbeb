/** Maximum size of an image file in bytes: twice what the largest cameras write. */
export const maxUploadBytes = 100 * 1024 * 1024

/** Why a file of this size is rejected, as a message; null if it is accepted. */
export const uploadSizeError = (byteSize: number): string | null => {
  if (byteSize === 0) return 'This file is empty. Copy it again and upload the new file.'
  if (byteSize <= maxUploadBytes) return null
  return `This file has ${Math.ceil(byteSize / 1024 / 1024)} MB. The most is ${maxUploadBytes / 1024 / 1024} MB; export it smaller.`
}
