const mask = '•••'

/** Members of a request or an answer whose values are secrets or say who someone is, or exactly where. */
const maskedNames =
  /name$|email|phone|street|addressLine|city$|birth|token|secret|password|authorization|api-?key|credential|latitude|longitude/i

const maskValue = (name: string, value: unknown): unknown => {
  if (/^(postalCode|zip)$/i.test(name) && typeof value === 'string') return `${value.slice(0, 3)}${mask}`
  return maskedNames.test(name) && value !== null ? mask : maskPersonalData(value)
}

/** JSON with its secrets and personal data masked, at any depth. Of a ZIP code three digits stay, because taxes depend on it. */
export const maskPersonalData = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(maskPersonalData)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, maskValue(name, value)]))
}

const maskEmail = (word: string): string => {
  const at = word.lastIndexOf('@')
  return at < 0 ? word : `${word.slice(0, 1)}${mask}${word.slice(at)}`
}

/** Text with its email addresses masked: `a•••@example.com`. */
export const maskEmails = (text: string): string => text.split(' ').map(maskEmail).join(' ')
