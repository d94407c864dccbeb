import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyAddress, hasAddress, normaliseAddress } from '#domain/shared/postal-address.ts'
import { canonicalTimeZone, isTimeZone, timeZones } from '#domain/shared/time-zones.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { isHostName, isWithinHost, normaliseHostName } from '#domain/studio/host-name.ts'
import {
  checkoutContactErrors,
  contactErrors,
  normaliseOrganizationName,
  organizationErrors,
  organizationMessages,
} from '#domain/studio/organization.ts'
import {
  hostLinesRule,
  normaliseWebsite,
  parseHostLines,
  type StudioFields,
  studioErrors,
  studioMessages,
} from '#domain/studio/studio-fields.ts'

describe('a host name', () => {
  test.each([
    ['photos.riverside.example', true],
    ['riverside.example', true],
    ['xn--mller-kva.de', true],
    ['localhost', false],
    ['127.0.0.1', false],
    ['a..b', false],
    ['-a.example', false],
    ['a_b.example', false],
    ['photos.riverside.example:8080', false],
    ['', false],
    [`${'a'.repeat(64)}.example`, false],
    [`${'abcdefghi.'.repeat(26)}example`, false],
  ])('isHostName(%j) returns %s', (text, isValid) => expect(isHostName(text)).toBe(isValid))

  test.each([
    [' https://Photos.Riverside.example/ ', 'photos.riverside.example'],
    ['photos.riverside.example.', 'photos.riverside.example'],
  ])('the host name %j is normalised to %j', (text, normalised) => expect(normaliseHostName(text)).toBe(normalised))

  test('a host name is within itself and its parent domains', () => {
    expect(isWithinHost('a.b.example', 'b.example')).toBe(true)
    expect(isWithinHost('b.example', 'b.example')).toBe(true)
    expect(isWithinHost('ab.example', 'b.example')).toBe(false)
  })

  test('normalising a host name twice returns the same host name', () => {
    fc.assert(
      fc.property(
        fc.domain(),
        (host) => normaliseHostName(normaliseHostName(`https://${host}/`)) === normaliseHostName(host),
      ),
    )
  })
})

describe('the fields of a studio', () => {
  const cases: [title: string, fields: Partial<StudioFields>, errors: Record<string, string[]>][] = [
    ['an update without fields is valid', {}, {}],
    ['a name of spaces only is rejected', { name: ' ' }, { name: [validationMessages.required] }],
    ['an empty e-mail address is valid', { email: '' }, {}],
    ['an e-mail address without a domain is rejected', { email: 'riverside' }, { email: [validationMessages.email] }],
    ['a phone number of two digits is rejected', { phone: '12' }, { phone: [validationMessages.phone] }],
    ['a website without a scheme is valid', { website: 'riverside.example/prices' }, {}],
    ['a website with a port is valid', { website: 'http://riverside.example:8080' }, {}],
    ['a website that is not a URL is rejected', { website: 'our site' }, { website: [studioMessages.website] }],
    ['a script as the website is rejected', { website: 'javascript:alert(1)' }, { website: [studioMessages.website] }],
    ['a colour of six hexadecimal digits is valid', { accent: '#1F6f78' }, {}],
    ['a studio without a colour is valid', { accent: null }, {}],
    ['a colour of three hexadecimal digits is rejected', { accent: '#1f6' }, { accent: [studioMessages.accent] }],
    [
      'a style declaration as the colour is rejected',
      { accent: 'red;background:url(x)' },
      { accent: [studioMessages.accent] },
    ],
    ['a known time zone is valid', { timeZone: 'America/Chicago' }, {}],
    ['an unknown time zone is rejected', { timeZone: 'Mars/Olympus' }, { timeZone: [studioMessages.timeZone] }],
    [
      'an invalid host name and a duplicate host name are rejected',
      { hosts: ['a.example', 'nothing', 'A.example.'] },
      { 'hosts.1': [studioMessages.host], 'hosts.2': [studioMessages.sameHost] },
    ],
    [
      'an unknown state and an invalid ZIP code are rejected',
      { address: { ...emptyAddress, state: 'XX', zip: '1' } },
      {
        'address.state': ['This value is not a state we know'],
        'address.zip': ['This value is not a valid ZIP code'],
      },
    ],
    [
      'an address with only a city and a state is valid',
      { address: { ...emptyAddress, city: 'Dayton', state: 'oh' } },
      {},
    ],
  ]
  test.each(cases)('%s', (_title, fields, errors) => expect(studioErrors(fields)).toEqual(errors))

  test('host names are separated by line breaks, commas or spaces, and each one is validated', () => {
    const text = ' https://A.example/ \n\nb.example, c.example '
    expect([parseHostLines(text), hostLinesRule(text, {}), hostLinesRule('', {})]).toEqual([
      ['a.example', 'b.example', 'c.example'],
      null,
      null,
    ])
    expect(hostLinesRule('a.example\nnothing', {})).toBe(studioMessages.host)
    expect(hostLinesRule('a.example\nA.example', {})).toBe(studioMessages.sameHost)
    expect(hostLinesRule('abcdef'.split('').join('.example ').concat('.example'), {})).toBe(
      'At most 5 host names can be kept',
    )
  })

  test('normalising a website trims it and adds https if it has no scheme', () => {
    expect([
      normaliseWebsite(' riverside.example '),
      normaliseWebsite('http://a.example'),
      normaliseWebsite(' '),
    ]).toEqual(['https://riverside.example', 'http://a.example', ''])
  })

  test('every listed time zone is valid and unique', () => {
    for (const { id } of timeZones) expect(() => new Intl.DateTimeFormat('en', { timeZone: id })).not.toThrow()
    expect(new Set(timeZones.map(({ id }) => id)).size).toBe(timeZones.length)
    expect(isTimeZone('America/New_York')).toBe(true)
    expect(timeZones[0]).toEqual({ id: 'America/New_York', name: 'Eastern time' })
    expect(timeZones).toContainEqual({ id: 'Europe/Berlin', name: 'Europe/Berlin' })
    expect(isTimeZone('Mars/Olympus')).toBe(false)
  })

  test('an old name of a time zone is valid, but only its current name is listed', () => {
    const ids = timeZones.map(({ id }) => id)
    for (const [oldName, currentName] of [
      ['Asia/Calcutta', 'Asia/Kolkata'],
      ['Europe/Kiev', 'Europe/Kyiv'],
      ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ] as const) {
      expect([isTimeZone(oldName), isTimeZone(currentName)]).toEqual([true, true])
      expect([canonicalTimeZone(oldName), canonicalTimeZone(currentName)]).toEqual([currentName, currentName])
      expect([ids.includes(oldName), ids.includes(currentName)]).toEqual([false, true])
    }
  })
})

describe('the fields of an organization', () => {
  const fields = { name: 'Lincoln', type: 'school', phone: '', email: '', website: '', note: '' } as const

  test('an organization requires only a name, and its other fields must be valid or empty', () => {
    expect(organizationErrors(fields)).toEqual({})
    expect(organizationErrors({ ...fields, name: '', email: 'x', phone: '1', website: '?' })).toEqual({
      name: [validationMessages.required],
      email: [validationMessages.email],
      phone: [validationMessages.phone],
      website: [studioMessages.website],
    })
  })

  test('white space in a name is collapsed', () => {
    expect(normaliseOrganizationName('  Lincoln \n  Elementary ')).toBe('Lincoln Elementary')
  })
})

describe('the contact of an organization', () => {
  const contact = { firstName: 'Ada', lastName: 'Lovelace', title: '', email: '', phone: '', address: emptyAddress }

  test('a contact requires a postal address (section 5)', () => {
    expect(contactErrors(contact)).toEqual({ 'address.address1': [organizationMessages.contactAddress] })
    expect(contactErrors({ ...contact, address: { ...emptyAddress, address1: '  ' } })).not.toEqual({})
    for (const field of ['address1', 'address2', 'city'] as const) {
      expect(contactErrors({ ...contact, address: { ...emptyAddress, [field]: 'x' } })).toEqual({})
    }
    expect(contactErrors({ ...contact, address: { ...emptyAddress, state: 'OH' } })).toEqual({})
    expect(contactErrors({ ...contact, address: { ...emptyAddress, zip: '45402' } })).toEqual({})
  })

  test('the e-mail address and phone number of a contact must be valid or empty', () => {
    const invalid = { email: 'ada', phone: 'none' }
    const messages = { email: [validationMessages.email], phone: [validationMessages.phone] }
    expect(contactErrors({ ...contact, ...invalid, address: { ...emptyAddress, city: 'Dayton' } })).toEqual(messages)
    expect(checkoutContactErrors(invalid)).toEqual(messages)
    expect(checkoutContactErrors({ email: '', phone: '' })).toEqual({})
  })
})

describe('a postal address', () => {
  test('normalising an address without any text returns null', () => {
    expect([
      hasAddress(emptyAddress),
      normaliseAddress(emptyAddress),
      normaliseAddress({ ...emptyAddress, zip: ' ' }),
    ]).toEqual([false, null, null])
  })

  test('normalising an address trims its fields and converts the state to upper case', () => {
    expect(normaliseAddress({ ...emptyAddress, address1: ' 1 Mill Street ', state: 'oh' })).toEqual({
      ...emptyAddress,
      address1: '1 Mill Street',
      state: 'OH',
    })
  })
})
