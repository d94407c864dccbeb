/**
 * The slug in typed or pasted text: a studio's name ("Riverside" or "summit sports") or any of its links. Undefined if
 * it contains none.
 */
export const slugFromText = (text: string): string | undefined => {
  const path = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
  const [first = '', second = ''] = path.split('/')
  const isHost = path.includes('/') && (second !== '' || first.includes('.'))
  const slug = (isHost ? second : first).replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug) ? slug : undefined
}
