import { addressRules, type PostalAddress } from '../shared/postal-address.ts'
import { isTimeZone } from '../shared/time-zones.ts'
import { email, phone, type Rules, required, type Validator, validate, when } from '../shared/validators.ts'
import { isHostName, normaliseHostName } from './host-name.ts'

/** The fields of a studio that its staff can edit; empty text means not set. */
export type StudioFields = {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly website: string
  readonly address: PostalAddress
  readonly timeZone: string
  /** The host names of this studio's page, without `https://`. */
  readonly hosts: readonly string[]
  /** `#rrggbb`; null for the product's own colour. */
  readonly accent: string | null
}

/** More names than any studio needs. */
export const maxStudioHosts = 5

export const studioMessages = {
  website: 'This value is not a valid web address',
  host: 'This value is not a valid host name',
  sameHost: 'This host name is listed twice',
  timeZone: 'This value is not a time zone we know',
  accent: 'This value is not a color',
} as const

const isFilled =
  (path: string) =>
  (model: unknown): boolean => {
    const value = Object(model)[path]
    return typeof value === 'string' && value.trim() !== ''
  }

const trimmed =
  (validator: Validator<unknown>): Validator<unknown> =>
  (value, model) =>
    validator(typeof value === 'string' ? value.trim() : value, model)

/** Normalises a typed web address: adds `https://` if it is missing. */
export const normaliseWebsite = (typed: string): string => {
  const text = typed.trim()
  return text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`
}

const website: Validator<unknown> = (value) => {
  const [, host = ''] =
    /^https?:\/\/([^\s/?#:]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i.exec(normaliseWebsite(String(value))) ?? []
  return isHostName(host.toLowerCase()) ? null : studioMessages.website
}

/** Validation of contact details shared by studios and organizations; empty ones are valid. */
export const reachabilityRules: Rules<unknown> = {
  email: when(isFilled('email'), trimmed(email())),
  phone: trimmed(phone()),
  website: when(isFilled('website'), website),
}

const accent: Validator<unknown> = (value) =>
  value === null || (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)) ? null : studioMessages.accent

const timeZone: Validator<unknown> = (value) =>
  typeof value === 'string' && isTimeZone(value) ? null : studioMessages.timeZone

const rules: Readonly<Record<keyof StudioFields, Rules<unknown>>> = {
  name: { name: required() },
  phone: { phone: reachabilityRules.phone ?? [] },
  email: { email: reachabilityRules.email ?? [] },
  website: { website: reachabilityRules.website ?? [] },
  address: addressRules('address'),
  timeZone: { timeZone },
  hosts: {},
  accent: { accent },
}

const hostErrors = (hosts: readonly string[]): Record<string, string[]> => {
  const normalised = hosts.map(normaliseHostName)
  const messageOf = (host: string, index: number): string | undefined => {
    if (!isHostName(host)) return studioMessages.host
    return normalised.indexOf(host) < index ? studioMessages.sameHost : undefined
  }
  const checked = normalised.map((host, index) => [`hosts.${index}`, messageOf(host, index)] as const)
  return Object.fromEntries(checked.flatMap(([path, message]) => (message ? [[path, [message]]] : [])))
}

/** The host names in a text of several lines. */
export const parseHostLines = (lines: string): string[] =>
  lines
    .split(/[\s,]+/)
    .map(normaliseHostName)
    .filter((host) => host !== '')

/** The first error of the host names in a text of several lines; null if there is none. */
export const hostLinesRule: Validator<unknown> = (lines) => {
  const hosts = parseHostLines(String(lines))
  if (hosts.length > maxStudioHosts) return `At most ${maxStudioHosts} host names can be kept`
  return Object.values(hostErrors(hosts)).flat()[0] ?? null
}

/** The rules of some fields of a studio, each at its own name. */
export const studioRules = (...fields: readonly (keyof StudioFields)[]): Rules<unknown> =>
  Object.assign({}, ...fields.map((field) => rules[field]))

/** The errors of the given fields by path (`address.zip`, `hosts.0`); empty if they can be saved. */
export const studioErrors = (fields: Partial<StudioFields>): Record<string, string[]> => {
  const presentFields = (Object.keys(rules) as (keyof StudioFields)[]).filter((field) => fields[field] !== undefined) // `rules` has exactly these keys
  return { ...validate<unknown>(fields, studioRules(...presentFields)), ...hostErrors(fields.hosts ?? []) }
}
