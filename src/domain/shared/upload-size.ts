/** A picture's file is no larger than this, in bytes: twice what the largest cameras write. */
export const maxUploadBytes = 100 * 1024 * 1024

/** Why a file of so many bytes is not taken, in a sentence; null where it is. */
export const uploadSizeError = (byteSize: number): string | null => {
  if (byteSize === 0) return 'This file is empty. Copy it again and upload the new file.'
  if (byteSize <= maxUploadBytes) return null
  return `This file has ${Math.ceil(byteSize / 1024 / 1024)} MB. The most is ${maxUploadBytes / 1024 / 1024} MB; export it smaller.`
}
