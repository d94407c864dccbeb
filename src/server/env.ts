import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { SettingKey, SettingValue } from '#domain/configuration/platform-settings.ts'
import {
  InvalidSetting,
  type ParsedVariables,
  type PaymentSettings,
  paymentSettingsOf,
  readVariables,
  variableRules,
} from './env-variables.ts'

/** The variables that set the platform's settings, by the keys of the settings. */
export const settingVariables = {
  'studio-storage': 'STUDIO_STORAGE_GB',
  'unverified-storage': 'UNVERIFIED_STORAGE_GB',
  'requests-per-minute': 'REQUESTS_PER_MINUTE',
  'mail-sender-name': 'MAIL_FROM',
  'mail-sender-address': 'MAIL_FROM',
} as const satisfies { readonly [Key in SettingKey]?: keyof ParsedVariables }

type EnvironmentKey = keyof typeof settingVariables
/** The values of settings by the environment; none for a variable that is not set. */
export type EnvironmentValues = { readonly [Key in EnvironmentKey]?: SettingValue<Key> | undefined }

type ExternalService = { readonly url: string; readonly token: string | undefined }

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
  /** Signs access tokens, signed URLs and other tokens. */
  readonly secret: string
  readonly logLevel: 'error' | 'warn' | 'info' | 'silent'
  /** Whether every call is answered with 503, whatever the database says. */
  readonly maintenance: boolean
  readonly payment: PaymentSettings
  /**
   * Who verifies that a studio is the partner's customer: the built-in check, an administrator, or the partner's
   * service.
   */
  readonly partner: { readonly adapter: 'test' | 'review' } | ({ readonly adapter: 'http' } & ExternalService)
  /** External services. Undefined `tax` uses the rates table; undefined `addresses` checks only the format. */
  readonly tax: ExternalService | undefined
  readonly addresses: ExternalService | undefined
  /** How a studio's own host name is verified: by DNS and HTTP, or by its ending alone. */
  readonly hostProof: 'dns' | 'test'
  /** Emails are stored in the mail log, or also sent by SMTP. */
  readonly mail: { readonly adapter: 'log' } | { readonly adapter: 'smtp'; readonly url: string }
  /** The values of settings that the environment sets. Administrators can change them while the server runs. */
  readonly fromEnvironment: EnvironmentValues
}

/** Whether a text is a named range, an IP address or a range in CIDR notation such as `10.0.0.0/8`. */
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
  throw new InvalidSetting(`TRUST_PROXY must be ${variableRules.TRUST_PROXY}; it is "${text}".`)
}

const serviceOf = (variables: ParsedVariables, name: 'TAX' | 'ADDRESS'): ExternalService | undefined => {
  if (variables[name] !== 'http') return undefined
  const url = variables[`${name}_URL`]
  if (url === undefined)
    throw new InvalidSetting(`${name}_URL must be ${variableRules[`${name}_URL`]}: ${name}=http uses it.`)
  return { url, token: variables[`${name}_TOKEN`] }
}

const partnerOf = (variables: ParsedVariables): Settings['partner'] => {
  const adapter = variables.PARTNER ?? (variables.NODE_ENV === 'production' ? 'review' : 'test')
  if (adapter !== 'http') return { adapter }
  const { PARTNER_URL: url, PARTNER_TOKEN: token } = variables
  if (url === undefined)
    throw new InvalidSetting(`PARTNER_URL must be ${variableRules.PARTNER_URL}: PARTNER=http uses it.`)
  return { adapter, url, token }
}

const mailOf = ({ MAIL, SMTP_URL: url, MAIL_FROM: from }: ParsedVariables): Settings['mail'] => {
  if (MAIL === 'log') return { adapter: 'log' }
  if (url === undefined) throw new InvalidSetting(`SMTP_URL must be ${variableRules.SMTP_URL}: MAIL=smtp uses it.`)
  if (from === undefined || !/^([^<>\r\n]* )?<?[^\s<>@]+@[^\s<>@]+>?$/.test(from)) {
    throw new InvalidSetting(`MAIL_FROM must be ${variableRules.MAIL_FROM}: MAIL=smtp sends from it.`)
  }
  return { adapter: 'smtp', url }
}

/** The name and the address of `Name <address>`, or of an address alone. */
const senderOf = (from: string | undefined): { name?: string; address?: string } => {
  if (from === undefined) return {}
  const bracket = from.indexOf('<')
  const name = bracket < 0 ? '' : from.slice(0, bracket).trim()
  return { name: name.replace(/^"(.*)"$/, '$1'), address: from.slice(bracket + 1).replace(/>$/, '') }
}

const environmentValues = (variables: ParsedVariables): EnvironmentValues => {
  const { name, address } = senderOf(variables.MAIL_FROM)
  return {
    'studio-storage': variables.STUDIO_STORAGE_GB,
    'unverified-storage': variables.UNVERIFIED_STORAGE_GB,
    'requests-per-minute': variables.REQUESTS_PER_MINUTE,
    'mail-sender-name': name,
    'mail-sender-address': address,
  }
}

/** Whether a host name resolves to this machine only. */
const isLoopback = (host: string): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)

/**
 * Requires settings under which sign-ins are safe: anyone who knows the secret, or reads plain HTTP, can sign in as any
 * user. Throws `InvalidSetting`.
 */
const requireSafeSignIns = ({ NODE_ENV, SECRET, PUBLIC_URL }: ParsedVariables): void => {
  const isProduction = NODE_ENV === 'production'
  const { protocol = 'http:', hostname = 'localhost' } = PUBLIC_URL === undefined ? {} : new URL(PUBLIC_URL)
  if (isProduction && SECRET === undefined) {
    throw new InvalidSetting(`SECRET must be ${variableRules.SECRET}: production does not start without it.`)
  }
  if (SECRET === undefined && protocol === 'https:') {
    throw new InvalidSetting(`SECRET must be ${variableRules.SECRET}: an https PUBLIC_URL is for real sign-ins.`)
  }
  if (isProduction && protocol === 'http:' && !isLoopback(hostname)) {
    throw new InvalidSetting(
      `PUBLIC_URL must be ${variableRules.PUBLIC_URL}: production allows http only on this machine.`,
    )
  }
}

const randomSecret = (): string => randomBytes(32).toString('hex')

/**
 * Reads the settings from the environment. Without `SECRET` it takes the secret from
 * `getSecret(dataDir)` and listens on loopback unless `HOST` is set. Throws `InvalidSetting` with a one-line message.
 */
export const readSettings = (
  env: Record<string, string | undefined>,
  getSecret: (dataDir: string) => string = randomSecret,
): Settings => {
  const variables = readVariables(env)
  const isProduction = variables.NODE_ENV === 'production'
  requireSafeSignIns(variables)
  if (isProduction && variables.PAYMENT === undefined) {
    throw new InvalidSetting(
      'PAYMENT must name the payment provider: production uses "test" only if it is set explicitly.',
    )
  }
  if (isProduction && variables.PUBLIC_URL === undefined) {
    throw new InvalidSetting(`PUBLIC_URL must be ${variableRules.PUBLIC_URL}: emails in production link to it.`)
  }
  return {
    mode: variables.NODE_ENV,
    port: variables.PORT,
    host: variables.HOST ?? (variables.SECRET === undefined ? '127.0.0.1' : '0.0.0.0'),
    dataDir: variables.DATA_DIR,
    databaseUrl: variables.DATABASE_URL,
    publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: trustedProxies(variables.TRUST_PROXY),
    secret: variables.SECRET ?? getSecret(variables.DATA_DIR),
    logLevel: variables.LOG_LEVEL,
    maintenance: variables.MAINTENANCE === 'on',
    payment: paymentSettingsOf(variables),
    partner: partnerOf(variables),
    tax: serviceOf(variables, 'TAX'),
    addresses: serviceOf(variables, 'ADDRESS'),
    hostProof: variables.HOST_PROOF ?? (isProduction ? 'dns' : 'test'),
    mail: mailOf(variables),
    fromEnvironment: environmentValues(variables),
  }
}

/** The public base URL without a trailing slash; if none is set, localhost with this port. */
export const publicAddress = ({ publicUrl }: Settings, port: number): string => publicUrl ?? `http://localhost:${port}`
