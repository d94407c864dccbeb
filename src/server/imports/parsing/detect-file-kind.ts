import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

const startsWith = (bytes: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

const zip = [0x50, 0x4b, 0x03, 0x04]
/** Both an old Excel file and an encrypted new one are this kind of container. */
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const encrypted = Buffer.from('EncryptedPackage', 'utf16le')

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

/** What a file is by its bytes, never by its name. Throws `RefusedFile` on what is neither text nor a ZIP, as .xlsx is one. */
export const detectFileKind = (bytes: Buffer): 'zip' | 'text' => {
  if (bytes.length === 0) throw new UnreadableFile(unreadableFileMessages.empty)
  if (startsWith(bytes, zip)) return 'zip'
  if (startsWith(bytes, compound))
    throw new UnreadableFile(bytes.includes(encrypted) ? unreadableFileMessages.locked : unreadableFileMessages.xls)
  const [, kind] = signatures.find(([signature]) => startsWith(bytes, signature)) ?? []
  if (kind) throw new UnreadableFile(unreadableFileMessages[kind])
  return 'text'
}

/** Many a school's system calls a web page .xls, and Excel opens it. Throws `RefusedFile` on text that is no list. */
export const assertList = (text: string): void => {
  const start = text.trimStart().slice(0, 200).toLowerCase()
  if (start === '') throw new UnreadableFile(unreadableFileMessages.empty)
  if (/^<(!doctype html|html|table|head|meta)/.test(start)) throw new UnreadableFile(unreadableFileMessages.html)
  if (/^<\?xml/.test(start)) throw new UnreadableFile(unreadableFileMessages.xml)
}
