import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyAddress, hasAddress, normaliseAddress } from '#domain/shared/postal-address.ts'
import { currentTimeZoneName, isTimeZone, timeZones } from '#domain/shared/time-zones.ts'
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
  ])('%j is a host name: %s', (text, good) => expect(isHostName(text)).toBe(good))

  test.each([
    [' https://Photos.Riverside.example/ ', 'photos.riverside.example'],
    ['photos.riverside.example.', 'photos.riverside.example'],
  ])('%j is normalised to %j', (typed, kept) => expect(normaliseHostName(typed)).toBe(kept))

  test('a host name is within itself and its parent domains', () => {
    expect(isWithinHost('a.b.example', 'b.example')).toBe(true)
    expect(isWithinHost('b.example', 'b.example')).toBe(true)
    expect(isWithinHost('ab.example', 'b.example')).toBe(false)
  })

  test('normalising twice has the same result', () => {
    fc.assert(
      fc.property(
        fc.domain(),
        (host) => normaliseHostName(normaliseHostName(`https://${host}/`)) === normaliseHostName(host),
      ),
    )
  })
})

describe('the fields of a studio', () => {
  const table: [string, Partial<StudioFields>, Record<string, string[]>][] = [
    ['nothing given', {}, {}],
    ['a blank name', { name: ' ' }, { name: [validationMessages.required] }],
    ['no e-mail', { email: '' }, {}],
    ['a wrong e-mail', { email: 'riverside' }, { email: [validationMessages.email] }],
    ['a wrong phone', { phone: '12' }, { phone: [validationMessages.phone] }],
    ['a website as people write it', { website: 'riverside.example/prices' }, {}],
    ['a website with a port', { website: 'http://riverside.example:8080' }, {}],
    ['no website', { website: 'our site' }, { website: [studioMessages.website] }],
    ['a script for a website', { website: 'javascript:alert(1)' }, { website: [studioMessages.website] }],
    ['a colour', { accent: '#1F6f78' }, {}],
    ['no colour', { accent: null }, {}],
    ['half a colour', { accent: '#1f6' }, { accent: [studioMessages.accent] }],
    ['a style for a colour', { accent: 'red;background:url(x)' }, { accent: [studioMessages.accent] }],
    ['a time zone', { timeZone: 'America/Chicago' }, {}],
    ['no time zone', { timeZone: 'Mars/Olympus' }, { timeZone: [studioMessages.timeZone] }],
    [
      'host names',
      { hosts: ['a.example', 'nothing', 'A.example.'] },
      { 'hosts.1': [studioMessages.host], 'hosts.2': [studioMessages.sameHost] },
    ],
    [
      'a postal address',
      { address: { ...emptyAddress, state: 'XX', zip: '1' } },
      {
        'address.state': ['This value is not a state we know'],
        'address.zip': ['This value is not a valid ZIP code'],
      },
    ],
    ['half an address', { address: { ...emptyAddress, city: 'Dayton', state: 'oh' } }, {}],
  ]
  test.each(table)('%s', (_, fields, errors) => expect(studioErrors(fields)).toEqual(errors))

  test('host names are parsed line by line', () => {
    const typed = ' https://A.example/ \n\nb.example, c.example '
    expect([parseHostLines(typed), hostLinesRule(typed, {}), hostLinesRule('', {})]).toEqual([
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

  test('a website gets its scheme if that is missing', () => {
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
    // Engines list one time zone under different names: all map to the current one.
    const ids = timeZones.map(({ id }) => id)
    for (const [before, today] of [
      ['Asia/Calcutta', 'Asia/Kolkata'],
      ['Europe/Kiev', 'Europe/Kyiv'],
      ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ] as const) {
      expect([isTimeZone(before), isTimeZone(today), currentTimeZoneName(before), currentTimeZoneName(today)]).toEqual([
        true,
        true,
        today,
        today,
      ])
      expect([ids.includes(before), ids.includes(today)]).toEqual([false, true])
    }
  })
})

describe('the fields of an organization', () => {
  const fields = { name: 'Lincoln', type: 'school', phone: '', email: '', website: '', note: '' } as const

  test('an organization needs a name and nothing else', () => {
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

  test('a contact is saved only with an address (section 5)', () => {
    expect(contactErrors(contact)).toEqual({ 'address.address1': [organizationMessages.contactAddress] })
    expect(contactErrors({ ...contact, address: { ...emptyAddress, address1: '  ' } })).not.toEqual({})
    for (const part of ['address1', 'address2', 'city'] as const) {
      expect(contactErrors({ ...contact, address: { ...emptyAddress, [part]: 'x' } })).toEqual({})
    }
    expect(contactErrors({ ...contact, address: { ...emptyAddress, state: 'OH' } })).toEqual({})
    expect(contactErrors({ ...contact, address: { ...emptyAddress, zip: '45402' } })).toEqual({})
  })

  test('a contact has a valid e-mail address and phone number, or none', () => {
    const wrong = { email: 'ada', phone: 'none' }
    const messages = { email: [validationMessages.email], phone: [validationMessages.phone] }
    expect(contactErrors({ ...contact, ...wrong, address: { ...emptyAddress, city: 'Dayton' } })).toEqual(messages)
    expect(checkoutContactErrors(wrong)).toEqual(messages)
    expect(checkoutContactErrors({ email: '', phone: '' })).toEqual({})
  })
})

describe('an address', () => {
  test('an empty address becomes null', () => {
    expect([
      hasAddress(emptyAddress),
      normaliseAddress(emptyAddress),
      normaliseAddress({ ...emptyAddress, zip: ' ' }),
    ]).toEqual([false, null, null])
  })

  test('an address is trimmed, and its state is in capitals', () => {
    expect(normaliseAddress({ ...emptyAddress, address1: ' 1 Mill Street ', state: 'oh' })).toEqual({
      ...emptyAddress,
      address1: '1 Mill Street',
      state: 'OH',
    })
  })
})
