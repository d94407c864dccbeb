/**
 * The slug in what a person typed or pasted where a studio is asked for: its name ("Riverside" or "summit sports"), or any link of
 * it. Undefined when nothing in it can be one.
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
