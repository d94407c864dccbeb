import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

const startsWith = (bytes: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

const zip = [0x50, 0x4b, 0x03, 0x04]
/** The container of old Excel files and of encrypted new ones. */
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const encryptedEntryName = Buffer.from('EncryptedPackage', 'utf16le')

const signatures: readonly (readonly [readonly number[], keyof typeof unreadableFileMessages])[] = [
  [[0x25, 0x50, 0x44, 0x46], 'pdf'],
  // RTF, PNG, JPEG, gzip, RAR, 7z
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], 'unknown'],
  [[0x89, 0x50, 0x4e, 0x47], 'unknown'],
  [[0xff, 0xd8, 0xff], 'unknown'],
  [[0x1f, 0x8b], 'unknown'],
  [[0x52, 0x61, 0x72, 0x21], 'unknown'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'unknown'],
]

/**
 * Detects the kind of a file by its bytes, never by its name. Throws `UnreadableFile` if it is neither text nor a ZIP
 * (as .xlsx is).
 */
export const detectFileKind = (bytes: Buffer): 'zip' | 'text' => {
  if (bytes.length === 0) throw new UnreadableFile(unreadableFileMessages.empty)
  if (startsWith(bytes, zip)) return 'zip'
  if (startsWith(bytes, compound))
    throw new UnreadableFile(
      bytes.includes(encryptedEntryName) ? unreadableFileMessages.locked : unreadableFileMessages.xls,
    )
  const [, kind] = signatures.find(([signature]) => startsWith(bytes, signature)) ?? []
  if (kind) throw new UnreadableFile(unreadableFileMessages[kind])
  return 'text'
}

/**
 * Throws `UnreadableFile` on text that is not a list. Many school systems export a web page as .xls, which Excel opens.
 */
export const assertList = (text: string): void => {
  const start = text.trimStart().slice(0, 200).toLowerCase()
  if (start === '') throw new UnreadableFile(unreadableFileMessages.empty)
  if (/^<(!doctype html|html|table|head|meta)/.test(start)) throw new UnreadableFile(unreadableFileMessages.html)
  if (/^<\?xml/.test(start)) throw new UnreadableFile(unreadableFileMessages.xml)
}
