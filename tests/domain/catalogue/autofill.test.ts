import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { autofillText, privateSource, sourceValue } from '#domain/catalogue/autofill.ts'
import { maskEmail, maskNodeText, maskPhone, unmask } from '#domain/catalogue/mask.ts'

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  fields: [
    { name: 'Phone Number', value: '555-123-4567' },
    { name: 'mobile', value: '555-999-0000' },
    { name: 'Date_of_Birth', value: '12/10/2015' },
    { name: 'E-Mail', value: 'ada@example.com' },
    { name: 'Grade', value: ' 5 ' },
    { name: 'Team', value: '   ' },
  ],
}

describe('text nodes fill in from subject fields by aliases (section 5)', () => {
  test.each([
    ...['first', 'firstname', 'fname', 'givenname', 'First Name', 'FIRST_NAME', 'given-name'].map((source) => [
      source,
      'Ada',
    ]),
    ...['last', 'lastname', 'lname', 'surname', 'Last Name'].map((source) => [source, 'Lovelace']),
    ...['name', 'fullname', 'Full Name'].map((source) => [source, 'Ada Lovelace']),
    ...['phone', 'phonenumber'].map((source) => [source, '555-123-4567']),
    ['Mobile', '555-999-0000'],
    ['cell', '555-123-4567'],
    ...['dob', 'dateofbirth', 'birthdate', 'birthday', 'Date of Birth'].map((source) => [source, '12/10/2015']),
    ...['email', 'emailaddress', 'E-mail address'].map((source) => [source, 'ada@example.com']),
    ['grade', '5'],
    ['team', ''],
    ['unheard of', ''],
    ['', ''],
  ])('the source %s has the value %j', (source, value) => {
    expect(sourceValue(source as string, ada)).toBe(value)
  })

  test('a subject without a name gets it from its fields', () => {
    const subject = {
      firstName: '',
      lastName: ' ',
      fields: [
        { name: 'fname', value: 'Grace' },
        { name: 'Surname', value: 'Hopper' },
      ],
    }
    expect(sourceValue('name', subject)).toBe('Grace Hopper')
    expect(sourceValue('name', { firstName: 'Cher', lastName: '', fields: [] })).toBe('Cher')
    expect(sourceValue('name', { firstName: '', lastName: '', fields: [{ name: 'Name', value: 'Prince' }] })).toBe(
      'Prince',
    )
  })

  test('names are trimmed, and a field without a name matches no source', () => {
    const subject = { firstName: ' Ada ', lastName: ' Lovelace ', fields: [{ name: ' - ', value: 'x' }] }
    expect(['first', 'last', 'name', '', null].map((source) => sourceValue(source, subject))).toEqual([
      'Ada',
      'Lovelace',
      'Ada Lovelace',
      '',
      '',
    ])
  })

  test('an empty field is skipped in favour of the next alias', () => {
    const subject = {
      firstName: '',
      lastName: '',
      fields: [
        { name: 'phone', value: ' ' },
        { name: 'mobile', value: '555-999-0000' },
      ],
    }
    expect(sourceValue('phone', subject)).toBe('555-999-0000')
  })

  test.each([
    ['the data source takes precedence', 'First Name', 'Last Name', { value: 'Ada', autoFilled: true }],
    [
      'the other data source is used if the first is empty',
      'Team',
      'Last Name',
      { value: 'Lovelace', autoFilled: true },
    ],
    [
      "the node's own text is used if both sources are empty, and does not count as autofilled",
      'Team',
      null,
      { value: 'Your text', autoFilled: false },
    ],
    ['a node without a source has its own text', null, null, { value: 'Your text', autoFilled: false }],
  ])('%s', (_name, dataSource, altDataSource, expected) => {
    expect(autofillText({ dataSource, altDataSource, value: 'Your text' }, ada)).toEqual(expected)
  })
})

describe('e-mail and phone values are masked in display (section 5)', () => {
  test.each([
    ['ada@example.com', 'ad***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['not an address', 'no***'],
    ['ab', 'ab***'],
    ['@example.com', '***@example.com'],
    ['', ''],
  ])('the e-mail address %j is masked as %j', (value, masked) => expect(maskEmail(value)).toBe(masked))

  test.each([
    ['555-123-4567', '***-***-4567'],
    ['+1 (555) 123.456789', '***-***-6789'],
    ['555-123-456-7', '***-***-4567'],
    ['1234', '***-***-***'],
    ['', ''],
  ])('the phone number %j is masked as %j', (value, masked) => expect(maskPhone(value)).toBe(masked))

  test('only sources of e-mail and phone are masked', () => {
    expect(privateSource('E-mail')).toBe('email')
    expect(privateSource('Cell')).toBe('phone')
    expect(privateSource('First Name')).toBe(null)
    expect(privateSource(null)).toBe(null)
  })

  test('an unchanged mask submits the original value, and any other input is submitted as typed', () => {
    expect(unmask('ad***@example.com', 'ada@example.com')).toBe('ada@example.com')
    expect(unmask('***-***-4567', '555-123-4567')).toBe('555-123-4567')
    expect(unmask('grace@example.com', 'ada@example.com')).toBe('grace@example.com')
    expect(unmask('', 'ada@example.com')).toBe('')
  })

  const anyText = fc.oneof(fc.string(), fc.emailAddress(), fc.stringMatching(/^\(\d{3}\) \d{3}-\d{4}$/))

  test('leaving a mask unchanged never changes the value', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('email', 'phone', 'grade'), (value, dataSource) => {
        expect(unmask(maskNodeText({ dataSource, altDataSource: null }, value), value)).toBe(value)
      }),
    )
  })
})
