/** The columns of a ready image whose files are never read. */
export const readyImage = {
  content_type: 'image/jpeg',
  byte_size: 10,
  width: 2400,
  height: 3000,
  thumb_hash: 'abcdef0123456789',
  preview_hash: 'abcdef0123456789',
  state: 'ready',
} as const
