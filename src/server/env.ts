import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import {
  coerce,
  create,
  defaulted,
  enums,
  integer,
  max,
  min,
  object,
  optional,
  pattern,
  refine,
  StructError,
  size,
  string,
} from 'superstruct'

const WholeNumber = coerce(integer(), string(), (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text))
const Url = (schemes: string) =>
  refine(pattern(string(), new RegExp(`^(${schemes})://[^\\s]+$`)), 'address', (text) => URL.canParse(text))

/** Every variable the server reads (section 9). Unknown variables belong to other programs and are ignored. */
const Variables = object({
  NODE_ENV: defaulted(enums(['production', 'development', 'test']), 'development'),
  PORT: defaulted(max(min(WholeNumber, 0), 65_535), 4600),
  HOST: optional(size(string(), 1, 255)),
  DATA_DIR: defaulted(size(string(), 1, 4096), '.data'),
  DATABASE_URL: optional(Url('postgres|postgresql')),
  PUBLIC_URL: optional(Url('https?')),
  TRUST_PROXY: defaulted(string(), 'false'),
  SECRET: optional(size(string(), 32, 1000)),
  LOG_LEVEL: defaulted(enums(['error', 'warn', 'info', 'silent']), 'info'),
  MAINTENANCE: defaulted(enums(['on', 'off']), 'off'),
  PAYMENT: optional(enums(['test', 'stripe'])),
  // Checks the prefixes, because the publishable key is sent to every browser.
  STRIPE_SECRET_KEY: optional(pattern(string(), /^[sr]k_\S{4,500}$/)),
  STRIPE_PUBLISHABLE_KEY: optional(pattern(string(), /^pk_\S{4,500}$/)),
  STRIPE_WEBHOOK_SECRET: optional(pattern(string(), /^whsec_\S{4,500}$/)),
  STRIPE_API_URL: optional(Url('https?')),
  STRIPE_CLIENT_ID: optional(pattern(string(), /^ca_\S{4,500}$/)),
  PARTNER: optional(enums(['test', 'review', 'http'])),
  PARTNER_URL: optional(Url('https?')),
  PARTNER_TOKEN: optional(size(string(), 1, 4000)),
  TAX: defaulted(enums(['table', 'http']), 'table'),
  TAX_URL: optional(Url('https?')),
  TAX_TOKEN: optional(size(string(), 1, 4000)),
  ADDRESS: defaulted(enums(['rules', 'http']), 'rules'),
  ADDRESS_URL: optional(Url('https?')),
  ADDRESS_TOKEN: optional(size(string(), 1, 4000)),
  HOST_PROOF: optional(enums(['dns', 'test'])),
  MAIL: defaulted(enums(['log', 'smtp']), 'log'),
  SMTP_URL: optional(Url('smtps?')),
  MAIL_FROM: optional(size(string(), 3, 320)),
  STUDIO_STORAGE_GB: defaulted(max(min(WholeNumber, 1), 1_000_000), 2_000),
  UNVERIFIED_STORAGE_GB: defaulted(max(min(WholeNumber, 1), 1_000_000), 20),
})

const rules: Record<keyof typeof Variables.schema, string> = {
  NODE_ENV: 'production, development or test',
  PORT: 'a port number, 0 to 65535',
  HOST: 'the name or address to listen on',
  DATA_DIR: 'a folder',
  DATABASE_URL: 'the address of a PostgreSQL, postgres://…',
  PUBLIC_URL: 'the address people open, https://…',
  TRUST_PROXY: 'true, false, a number of proxies, or their addresses separated by commas',
  SECRET: 'at least 32 characters nobody else knows',
  LOG_LEVEL: 'error, warn, info or silent',
  MAINTENANCE: 'on or off',
  PAYMENT: 'test or stripe',
  STRIPE_SECRET_KEY: 'the secret key of the platform’s Stripe account, sk_…',
  STRIPE_PUBLISHABLE_KEY: 'the publishable key of the platform’s Stripe account, pk_…',
  STRIPE_WEBHOOK_SECRET: 'what Stripe signs its events with, whsec_…',
  STRIPE_API_URL: 'an address, https://…',
  STRIPE_CLIENT_ID: 'what Stripe Connect knows the platform by, ca_…',
  PARTNER: 'test, review or http',
  PARTNER_URL: 'the address at which the partner verifies its customers, https://…',
  PARTNER_TOKEN: 'the token the partner knows the platform by',
  TAX: 'table or http',
  TAX_URL: 'the address of a tax service, https://…',
  TAX_TOKEN: 'the token of a tax service',
  ADDRESS: 'rules or http',
  ADDRESS_URL: 'the address of an address service, https://…',
  ADDRESS_TOKEN: 'the token of an address service',
  HOST_PROOF: 'dns or test',
  MAIL: 'log or smtp',
  SMTP_URL: 'the address of a mail server, smtp://… or smtps://…',
  MAIL_FROM: 'an e-mail address, alone or as “Name <address>”',
  STUDIO_STORAGE_GB: 'a number of gigabytes, 1 to 1000000',
  UNVERIFIED_STORAGE_GB: 'a number of gigabytes, 1 to 1000000',
}

type StripeKeys = {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** Base URL of the API; undefined for Stripe itself. */
  readonly apiUrl: string | undefined
  /** Stripe Connect client id; undefined where studios cannot connect accounts. */
  readonly clientId: string | undefined
}

type OutsideService = { readonly url: string; readonly token: string | undefined }

export type Settings = {
  readonly mode: 'production' | 'development' | 'test'
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** No trailing slash. */
  readonly publicUrl: string | undefined
  /** Which proxies may set the client's address: all, none, this many hops, or these addresses. */
  readonly trustProxy: boolean | number | string[]
  /** Signs access tokens. */
  readonly secret: string
  readonly logLevel: 'error' | 'warn' | 'info' | 'silent'
  /** Answers 503 to every call, whatever the database says. */
  readonly maintenance: boolean
  readonly payment: { readonly adapter: 'test' } | ({ readonly adapter: 'stripe' } & StripeKeys)
  /**
   * Who verifies that a studio is the partner's customer: the built-in check, an administrator, or the partner's
   * service.
   */
  readonly partner: { readonly adapter: 'test' | 'review' } | ({ readonly adapter: 'http' } & OutsideService)
  /** External services. Undefined `tax` uses the rates table; undefined `addresses` checks only the format. */
  readonly tax: OutsideService | undefined
  readonly addresses: OutsideService | undefined
  /** How a studio's own host name is verified: by DNS and HTTP, or by its ending alone. */
  readonly hostProof: 'dns' | 'test'
  /** Emails are stored in the mail log, or also sent by SMTP. */
  readonly mail: { readonly adapter: 'log' } | { readonly adapter: 'smtp'; readonly url: string; readonly from: string }
  /** Storage limit of a studio in bytes, announced uploads included. */
  readonly studioStorageBytes: number
  /** The same limit for a studio that the lab has not verified. */
  readonly unverifiedStorageBytes: number
}

/** An invalid setting that stops the start; its message is the single line to print. */
export class InvalidSetting extends Error {
  override name = 'InvalidSetting'
}

/** An IP address or a range in CIDR notation: `10.0.0.0/8`. */
const isProxy = (text: string): boolean => {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [, address = '', bits = '1'] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}

const trustedProxies = (text: string): Settings['trustProxy'] => {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^\d{1,3}$/.test(text)) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  if (addresses.every(isProxy)) return addresses
  throw new InvalidSetting(`TRUST_PROXY must be ${rules.TRUST_PROXY}; it is "${text}".`)
}

const presentVariables = (env: Record<string, string | undefined>): Record<string, string> => {
  const given = Object.keys(rules).map((name) => [name, env[name]?.trim()] as const)
  return Object.fromEntries(given.filter((pair): pair is readonly [string, string] => Boolean(pair[1])))
}

const readVariables = (env: Record<string, string | undefined>) => {
  try {
    return create(presentVariables(env), Variables)
  } catch (error) {
    if (!(error instanceof StructError)) throw error
    const name = String(error.path[0]) as keyof typeof rules // the struct has no other keys
    // Do not echo a secret to a terminal or a log.
    const given = [
      'SECRET',
      'STRIPE_SECRET_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'DATABASE_URL',
      'SMTP_URL',
      'TAX_URL',
      'TAX_TOKEN',
      'PARTNER_URL',
      'PARTNER_TOKEN',
      'ADDRESS_URL',
      'ADDRESS_TOKEN',
    ].includes(name)
      ? ''
      : `; it is "${error.value}"`
    throw new InvalidSetting(`${name} must be ${rules[name]}${given}.`)
  }
}

type ParsedVariables = ReturnType<typeof readVariables>

const serviceOf = (read: ParsedVariables, name: 'TAX' | 'ADDRESS'): OutsideService | undefined => {
  if (read[name] !== 'http') return undefined
  const url = read[`${name}_URL`]
  if (url === undefined) throw new InvalidSetting(`${name}_URL must be ${rules[`${name}_URL`]}: ${name}=http asks it.`)
  return { url, token: read[`${name}_TOKEN`] }
}

const needed = (
  read: ParsedVariables,
  name: `STRIPE_${'SECRET_KEY' | 'PUBLISHABLE_KEY' | 'WEBHOOK_SECRET'}`,
): string => {
  const value = read[name]
  if (value === undefined) throw new InvalidSetting(`${name} must be ${rules[name]}: PAYMENT=stripe needs it.`)
  return value
}

const paymentOf = (read: ParsedVariables): Settings['payment'] => {
  if (read.PAYMENT !== 'stripe') return { adapter: 'test' }
  return {
    adapter: 'stripe',
    secretKey: needed(read, 'STRIPE_SECRET_KEY'),
    publishableKey: needed(read, 'STRIPE_PUBLISHABLE_KEY'),
    webhookSecret: needed(read, 'STRIPE_WEBHOOK_SECRET'),
    apiUrl: read.STRIPE_API_URL,
    clientId: read.STRIPE_CLIENT_ID,
  }
}

const partnerOf = (read: ParsedVariables): Settings['partner'] => {
  const adapter = read.PARTNER ?? (read.NODE_ENV === 'production' ? 'review' : 'test')
  if (adapter !== 'http') return { adapter }
  const { PARTNER_URL: url, PARTNER_TOKEN: token } = read
  if (url === undefined) throw new InvalidSetting(`PARTNER_URL must be ${rules.PARTNER_URL}: PARTNER=http asks it.`)
  return { adapter, url, token }
}

const mailOf = ({ MAIL, SMTP_URL: url, MAIL_FROM: from }: ParsedVariables): Settings['mail'] => {
  if (MAIL === 'log') return { adapter: 'log' }
  if (url === undefined) throw new InvalidSetting(`SMTP_URL must be ${rules.SMTP_URL}: MAIL=smtp sends by it.`)
  if (from === undefined || !/^([^<>\r\n]* )?<?[^\s<>@]+@[^\s<>@]+>?$/.test(from)) {
    throw new InvalidSetting(`MAIL_FROM must be ${rules.MAIL_FROM}: MAIL=smtp sends in its name.`)
  }
  return { adapter: 'smtp', url, from }
}

/** Whether a host name resolves to this machine only. */
const isLoopback = (host: string): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)

/**
 * Requires settings under which sign-ins are safe: anyone who knows the secret, or reads plain HTTP, can sign in as any
 * user. Throws `InvalidSetting`.
 */
const requireSafeSignIns = ({ NODE_ENV, SECRET, PUBLIC_URL }: ParsedVariables): void => {
  const production = NODE_ENV === 'production'
  const { protocol = 'http:', hostname = 'localhost' } = PUBLIC_URL === undefined ? {} : new URL(PUBLIC_URL)
  if (production && SECRET === undefined) {
    throw new InvalidSetting(`SECRET must be ${rules.SECRET}: production does not start without it.`)
  }
  if (SECRET === undefined && protocol === 'https:') {
    throw new InvalidSetting(`SECRET must be ${rules.SECRET}: an https PUBLIC_URL is for real sign-ins.`)
  }
  if (production && protocol === 'http:' && !isLoopback(hostname)) {
    throw new InvalidSetting(`PUBLIC_URL must be ${rules.PUBLIC_URL}: production takes http on this machine only.`)
  }
}

const randomSecret = (): string => randomBytes(32).toString('hex')

/**
 * Reads the settings from the environment (section 9). Without `SECRET` it uses what `secretIn` returns for the data
 * folder, and listens on loopback unless `HOST` is set. Throws `InvalidSetting` with a one-line message.
 */
export const readSettings = (
  env: Record<string, string | undefined>,
  secretIn: (dataDir: string) => string = randomSecret,
): Settings => {
  const read = readVariables(env)
  const production = read.NODE_ENV === 'production'
  requireSafeSignIns(read)
  if (production && read.PAYMENT === undefined) {
    throw new InvalidSetting(
      'PAYMENT must say who takes the money: in production "test" is used only when asked for by name.',
    )
  }
  if (production && read.PUBLIC_URL === undefined) {
    throw new InvalidSetting(`PUBLIC_URL must be ${rules.PUBLIC_URL}: mails of production link to it.`)
  }
  return {
    mode: read.NODE_ENV,
    port: read.PORT,
    host: read.HOST ?? (read.SECRET === undefined ? '127.0.0.1' : '0.0.0.0'),
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    publicUrl: read.PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: trustedProxies(read.TRUST_PROXY),
    secret: read.SECRET ?? secretIn(read.DATA_DIR),
    logLevel: read.LOG_LEVEL,
    maintenance: read.MAINTENANCE === 'on',
    payment: paymentOf(read),
    partner: partnerOf(read),
    tax: serviceOf(read, 'TAX'),
    addresses: serviceOf(read, 'ADDRESS'),
    hostProof: read.HOST_PROOF ?? (production ? 'dns' : 'test'),
    mail: mailOf(read),
    studioStorageBytes: read.STUDIO_STORAGE_GB * 1e9,
    unverifiedStorageBytes: Math.min(read.UNVERIFIED_STORAGE_GB, read.STUDIO_STORAGE_GB) * 1e9,
  }
}

/** The public base URL without a trailing slash; if none is set, localhost with this port. */
export const publicAddress = ({ publicUrl }: Settings, port: number): string => publicUrl ?? `http://localhost:${port}`
