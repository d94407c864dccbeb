import { describe, expect, it } from 'vitest'
import { publicAddress, readSettings } from '#server/env.ts'
import { InvalidSetting } from '#server/env-variables.ts'

const secret = 's'.repeat(32)
const production = { NODE_ENV: 'production', SECRET: secret, PAYMENT: 'test', PUBLIC_URL: 'https://fieldproof.test' }

describe('server settings', () => {
  it('every setting has a default outside production', () => {
    expect(readSettings({})).toMatchObject({
      mode: 'development',
      port: 4600,
      host: '127.0.0.1',
      dataDir: '.data',
      databaseUrl: undefined,
      publicUrl: undefined,
      trustProxy: false,
      maintenance: false,
      payment: { adapter: 'test' },
      mail: { adapter: 'log' },
    })
  })

  it('settings are parsed from environment variables', () => {
    const env = {
      ...production,
      PORT: ' 8080 ',
      PUBLIC_URL: 'https://fieldproof.test//',
      TRUST_PROXY: '10.0.0.0/8, ::1',
    }
    expect(readSettings(env)).toMatchObject({
      mode: 'production',
      port: 8080,
      publicUrl: 'https://fieldproof.test',
      trustProxy: ['10.0.0.0/8', '::1'],
      secret,
    })
    expect(readSettings({ TRUST_PROXY: 'loopback,fd00::/8' }).trustProxy).toEqual(['loopback', 'fd00::/8'])
    expect(readSettings({ DATABASE_URL: 'postgres:///orders?host=/run/pg' }).databaseUrl).toContain('orders')
    expect(readSettings({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
    const tax = { TAX: 'http', TAX_URL: 'https://tax.test', TAX_TOKEN: 'abc' }
    expect(readSettings(tax).tax).toEqual({ url: 'https://tax.test', token: 'abc' })
    expect(readSettings({ ...tax, TAX: undefined }).tax).toBeUndefined()
    const [url, from] = ['smtps://user:pass@mail.test:465', 'Fieldproof <orders@fieldproof.test>']
    expect(readSettings({ MAIL: 'smtp', SMTP_URL: url, MAIL_FROM: from }).mail).toEqual({ adapter: 'smtp', url })
    expect(readSettings({ DATABASE_URL: '', SOMEBODY_ELSES: 'x' }).databaseUrl).toBeUndefined()
  })

  it.each([
    [{}, {}],
    [
      { STUDIO_STORAGE_GB: '5', REQUESTS_PER_MINUTE: '9' },
      { 'studio-storage': 5, 'requests-per-minute': 9 },
    ],
    [{ MAIL_FROM: 'a@b.test' }, { 'mail-sender-name': '', 'mail-sender-address': 'a@b.test' }],
    [{ MAIL_FROM: '"A, B" <a@b.test>' }, { 'mail-sender-name': 'A, B', 'mail-sender-address': 'a@b.test' }],
  ])('the environment %j sets the platform’s settings %j', (env, values) => {
    expect(readSettings(env).fromEnvironment).toEqual(values)
  })

  it.each([
    [{ PORT: 'eighty' }, 'PORT must be a port number, 0 to 65535; it is "eighty".'],
    [{ PORT: '70000' }, 'PORT must be a port number, 0 to 65535; it is "70000".'],
    [{ NODE_ENV: 'live' }, 'NODE_ENV must be production, development or test; it is "live".'],
    [{ DATABASE_URL: 'mysql://u:hidden@h/d' }, 'DATABASE_URL must be the address of a PostgreSQL, postgres://….'],
    [
      { PUBLIC_URL: 'fieldproof.test' },
      'PUBLIC_URL must be the address people open, https://…; it is "fieldproof.test".',
    ],
    [
      { TRUST_PROXY: 'perhaps' },
      'TRUST_PROXY must be true, false, a number of proxies, or their addresses separated by commas; it is "perhaps".',
    ],
    ...['300.1.1.1', '10.0.0.0/99', '0.0.0.0/0', '::1/129', '10.0.0.1,', 'fe80::1/x', '1:2'].map(
      (text): [Record<string, string>, string] => [
        { TRUST_PROXY: text },
        `TRUST_PROXY must be true, false, a number of proxies, or their addresses separated by commas; it is "${text}".`,
      ],
    ),
    [{ DATABASE_URL: 'postgres://u:hidden@[::1/d' }, 'DATABASE_URL must be the address of a PostgreSQL, postgres://….'],
    [
      { PUBLIC_URL: 'https://fieldproof.test:x' },
      'PUBLIC_URL must be the address people open, https://…; it is "https://fieldproof.test:x".',
    ],
    [{ SECRET: 'short' }, 'SECRET must be at least 32 characters no one else knows.'],
    [{ MAIL: 'post' }, 'MAIL must be log or smtp; it is "post".'],
    [{ SMTP_URL: 'mail.example:pass' }, 'SMTP_URL must be the address of a mail server, smtp://… or smtps://….'],
    [
      { MAIL: 'smtp', MAIL_FROM: 'a@b.test' },
      'SMTP_URL must be the address of a mail server, smtp://… or smtps://…: MAIL=smtp uses it.',
    ],
    ...[undefined, 'nobody', 'A\nBcc: <a@b.test>'].map((from): [Record<string, string | undefined>, string] => [
      { MAIL: 'smtp', SMTP_URL: 'smtp://mail.test', MAIL_FROM: from },
      'MAIL_FROM must be an email address, alone or as “Name <address>”: MAIL=smtp sends from it.',
    ]),
    [
      { PARTNER: 'http' },
      'PARTNER_URL must be the address at which the partner verifies its customers, https://…: PARTNER=http uses it.',
    ],
    [{ PARTNER: 'nobody' }, 'PARTNER must be test, review or http; it is "nobody".'],
    [
      { STRIPE_CLIENT_ID: 'sk_1' },
      'STRIPE_CLIENT_ID must be the client id of the platform in Stripe Connect, ca_…; it is "sk_1".',
    ],
    [{ TAX: 'http' }, 'TAX_URL must be the address of a tax service, https://…: TAX=http uses it.'],
    [{ ADDRESS: 'http' }, 'ADDRESS_URL must be the address of an address service, https://…: ADDRESS=http uses it.'],
    [{ ADDRESS: 'post' }, 'ADDRESS must be rules or http; it is "post".'],
    [{ PAYMENT: 'cash' }, 'PAYMENT must be test or stripe; it is "cash".'],
    [
      { PAYMENT: 'stripe' },
      'STRIPE_SECRET_KEY must be the secret key of the platform’s Stripe account, sk_…: PAYMENT=stripe needs it.',
    ],
    [
      { PAYMENT: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      'STRIPE_WEBHOOK_SECRET must be the secret with which Stripe signs its events, whsec_…: PAYMENT=stripe needs it.',
    ],
    [{ STRIPE_SECRET_KEY: 'sk_1' }, 'STRIPE_SECRET_KEY must be the secret key of the platform’s Stripe account, sk_….'],
    [
      { ...production, SECRET: undefined },
      'SECRET must be at least 32 characters no one else knows: production does not start without it.',
    ],
    ...['development', 'test'].map((mode): [Record<string, string>, string] => [
      { NODE_ENV: mode, PUBLIC_URL: 'https://fieldproof.test' },
      'SECRET must be at least 32 characters no one else knows: an https PUBLIC_URL is for real sign-ins.',
    ]),
    ...['http://fieldproof.test', 'http://127.0.0.1.fieldproof.test', 'http://10.0.0.1'].map(
      (url): [Record<string, string>, string] => [
        { ...production, PUBLIC_URL: url },
        'PUBLIC_URL must be the address people open, https://…: production allows http only on this machine.',
      ],
    ),
    [
      { ...production, PAYMENT: undefined },
      'PAYMENT must name the payment provider: production uses "test" only if it is set explicitly.',
    ],
    [
      { ...production, PUBLIC_URL: undefined },
      'PUBLIC_URL must be the address people open, https://…: emails in production link to it.',
    ],
  ])('an invalid setting stops the start with a one-line message: %j', (env, line) => {
    expect(() => readSettings(env)).toThrow(new InvalidSetting(line))
  })

  it('a server without a configured secret creates its own and listens on loopback only', () => {
    const [first, second] = [readSettings({}), readSettings({})]
    expect(first.secret).not.toBe(second.secret)
    expect(first.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(readSettings({ DATA_DIR: '/data' }, (dataDir) => `of ${dataDir}`).secret).toBe('of /data')
    expect(readSettings({ SECRET: secret }, () => 'another').secret).toBe(secret)
    expect(readSettings({ SECRET: secret }).host).toBe('0.0.0.0')
    expect(readSettings({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })

  it.each(['http://localhost:4600', 'http://demo.localhost', 'http://127.0.0.1:80', 'http://[::1]:4600'])(
    'production may use plain http at the loopback address %s',
    (url) => expect(readSettings({ ...production, PUBLIC_URL: url }).publicUrl).toBe(url),
  )

  it('the public address is the configured address, or localhost with the port', () => {
    expect(publicAddress(readSettings(production), 8080)).toBe('https://fieldproof.test')
    expect(publicAddress(readSettings({}), 8080)).toBe('http://localhost:8080')
  })
})
