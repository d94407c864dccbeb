import { describe, expect, test } from 'vitest'
import {
  email,
  formMessages,
  isValid,
  joinFieldErrors,
  matches,
  minimum,
  oneOf,
  phone,
  required,
  requiredIf,
  requiredList,
  type Validator,
  validate,
  valueAt,
  when,
} from '#domain/shared/validators.ts'

type Model = Record<string, unknown>
const missing = 'This field is required'
const noEmail = 'This value is not a valid email address'
const noPhone = 'This value is not a valid phone number'
const always = () => true
const never = () => false

const table: [string, () => Validator<Model>, unknown, string | null][] = [
  ['required: text', () => required(), 'Ada', null],
  ['required: empty', () => required(), '', missing],
  ['required: blank', () => required(), '  ', missing],
  ['required: undefined', () => required(), undefined, missing],
  ['required: null', () => required(), null, missing],
  ['required: false', () => required(), false, missing],
  ['required: empty list', () => required(), [], missing],
  ['required: filled list', () => required(), ['one'], null],
  ['required: zero', () => required(), 0, missing],
  ['required: zero allowed', () => required({ zero: 'allowed' }), 0, null],
  ['required: zero allowed, empty', () => required({ zero: 'allowed' }), '', missing],
  ['required: NaN', () => required({ zero: 'allowed' }), Number.NaN, missing],
  ['requiredIf: holds', () => requiredIf(always), '', missing],
  ['requiredIf: does not hold', () => requiredIf(never), '', null],
  ['requiredIf: holds, zero allowed', () => requiredIf(always, { zero: 'allowed' }), 0, null],
  ['requiredList: empty, condition holds', () => requiredList(always), [], 'Requires at least 1 item'],
  ['requiredList: empty, condition does not hold', () => requiredList(never), [], null],
  ['requiredList: no condition always applies', () => requiredList(), [], 'Requires at least 1 item'],
  ['requiredList: missing', () => requiredList(), undefined, 'Requires at least 1 item'],
  ['requiredList: filled', () => requiredList(), ['one'], null],
  ['email: plain', () => email(), 'ada@example.com', null],
  ['email: plus, apostrophe, subdomain', () => email(), "o'brien+spring@mail.example.co.uk", null],
  ['email: capitals', () => email(), 'Ada@Example.COM', null],
  ['email: empty', () => email(), '', noEmail],
  ['email: not a string', () => email(), 7, noEmail],
  ['email: undefined', () => email(), undefined, noEmail],
  ['email: a list of one', () => email(), ['ada@example.com'], noEmail],
  ['email: no at', () => email(), 'ada.example.com', noEmail],
  ['email: no dot in the domain', () => email(), 'ada@example', noEmail],
  ['email: two ats', () => email(), 'ada@love@example.com', noEmail],
  ['email: space', () => email(), 'ada @example.com', noEmail],
  ['email: line break', () => email(), 'ada@example.com\nBcc: x@example.com', noEmail],
  ['email: label ends in a dash', () => email(), 'ada@example-.com', noEmail],
  ['email: something before it', () => email(), '<ada@example.com', noEmail],
  ['email: one letter in each part', () => email(), 'a@b.c', null],
  ['email: a label of 63 letters', () => email(), `ada@${'a'.repeat(63)}.com`, null],
  ['email: a label of 64 letters', () => email(), `ada@${'a'.repeat(64)}.com`, noEmail],
  ['email: a last label of 63 letters', () => email(), `ada@example.${'a'.repeat(63)}`, null],
  ['email: a last label of 64 letters', () => email(), `ada@example.${'a'.repeat(64)}`, noEmail],
  ['email: a dash within', () => email(), 'ada@my-studio.example-one.com', null],
  ['email: a dash at the end', () => email(), 'ada@example.com-', noEmail],
  ['email: the maximum length', () => email(), `${'a'.repeat(242)}@example.com`, null],
  ['email: one character too long', () => email(), `${'a'.repeat(243)}@example.com`, noEmail],
  ['email: too long', () => email(), `${'a'.repeat(250)}@example.com`, noEmail],
  ['phone: optional and empty', () => phone(), '', null],
  ['phone: optional and absent', () => phone('optional'), undefined, null],
  ['phone: required and empty', () => phone('required'), '', missing],
  ['phone: zero counts as empty', () => phone(), 0, null],
  ['phone: dashes', () => phone(), '555-123-4567', null],
  ['phone: parentheses', () => phone(), '(555) 123-4567', null],
  ['phone: dots', () => phone(), '555.123.4567', null],
  ['phone: no separators', () => phone(), '5551234567', null],
  ['phone: plus', () => phone(), '+555 123 4567', null],
  ['phone: a country code', () => phone(), '+1 555 123 4567', null],
  ['phone: a country code and parentheses', () => phone(), '+1 (555) 123-4567', null],
  ['phone: a country code without a plus', () => phone(), '1-555-123-4567', null],
  ['phone: a longer country code', () => phone(), '+358.555.123.4567', null],
  ['phone: a country code of four digits', () => phone(), '+1555 555 123 4567', noPhone],
  ['phone: a country code alone', () => phone(), '+1 123 4567', noPhone],
  ['phone: another digit in front', () => phone(), '2 555 123 4567', noPhone],
  ['phone: six digits at the end', () => phone('required'), '555-123-456789', null],
  ['phone: three digits at the end', () => phone(), '555-123-456', noPhone],
  ['phone: seven digits at the end', () => phone(), '555-123-4567890', noPhone],
  ['phone: half a parenthesis', () => phone(), '(555 123-4567', noPhone],
  ['phone: letters', () => phone('required'), '555-CALL-NOW', noPhone],
  ['phone: other separator', () => phone(), '555/123/4567', noPhone],
  ['phone: something before it', () => phone(), 'call 555-123-4567', noPhone],
  ['phone: something after it', () => phone(), '555-123-4567 x1', noPhone],
  ['phone: two digits at the start', () => phone(), '55-123-4567', noPhone],
  ['phone: two digits in parentheses', () => phone(), '(55) 123-4567', noPhone],
  ['phone: two digits in the middle', () => phone(), '555-12-4567', noPhone],
  ['phone: blank', () => phone('required'), ' ', missing],
  ['phone: a number', () => phone(), 5551234567, noPhone],
  ['matches: same', () => matches('password'), 'secret', null],
  ['matches: other', () => matches('password'), 'Secret', "This value doesn't match"],
  ['minimum: more', () => minimum(5), 6, null],
  ['minimum: the minimum itself', () => minimum(5), 5, null],
  ['minimum: less', () => minimum(5), 4.99, 'This value must be at least 5'],
  ['minimum: a typed number', () => minimum(5), '12', null],
  ['minimum: empty', () => minimum(0), '', 'This value must be at least 0'],
  ['minimum: decimals', () => minimum(0), ' 1.50', null],
  ['minimum: hexadecimal', () => minimum(0), '0x10', 'This value must be at least 0'],
  ['minimum: an exponent', () => minimum(0), '1e3', 'This value must be at least 0'],
  ['minimum: the text Infinity', () => minimum(0), 'Infinity', 'This value must be at least 0'],
  ['minimum: infinity', () => minimum(0), Number.POSITIVE_INFINITY, 'This value must be at least 0'],
  ['minimum: text', () => minimum(0), 'many', 'This value must be at least 0'],
  ['minimum: NaN', () => minimum(0), Number.NaN, 'This value must be at least 0'],
  ['minimum: blank', () => minimum(0), ' ', 'This value must be at least 0'],
  ['minimum: null', () => minimum(0), null, 'This value must be at least 0'],
  ['oneOf: in the list', () => oneOf(['sport', 'school']), 'school', null],
  ['oneOf: not in the list', () => oneOf(['sport', 'school']), 'club', 'This value must be one of sport, school'],
  ['oneOf: own message', () => oneOf(['sport'], 'Choose a type'), 'club', 'Choose a type'],
  ['when: holds', () => when(always, email()), '', noEmail],
  ['when: does not hold', () => when(never, email()), '', null],
]

test.each(table)('the validator returns the expected message: %s (section 5)', (_name, validator, value, message) => {
  expect(validator()(value, { password: 'secret' })).toBe(message)
})

describe('validate', () => {
  const orderSearch = { orderNumber: required(), email: email() }

  test('the home search form needs an order number and a valid e-mail address (section 5)', () => {
    expect(validate({ email: '', orderNumber: '' }, orderSearch)).toEqual({ orderNumber: [missing], email: [noEmail] })
    const errors = validate({ email: 'ada@example.com', orderNumber: 'FP-00000000' }, orderSearch)
    expect(errors).toEqual({})
    expect(isValid(errors)).toBe(true)
  })

  test('a path reaches into objects and lists, and conditions get the whole model', () => {
    const model = { customer: { email: 'x' }, people: [{ name: '' }], asked: true }
    const rules = {
      'customer.email': email<typeof model>(),
      'people.0.name': requiredIf<typeof model>((values) => values.asked),
      'people.1.name': requiredIf<typeof model>((values) => !values.asked),
    }
    expect(validate(model, rules)).toEqual({ 'customer.email': [noEmail], 'people.0.name': [missing] })
  })

  test('several errors of one field come in the order of their rules, without duplicates', () => {
    const rules = { email: [required<Model>(), required<Model>(), email<Model>()] }
    expect(validate<Model>({ email: '' }, rules)).toEqual({ email: [missing, noEmail] })
  })

  test('a path never reaches inherited properties', () => {
    expect(valueAt({}, 'constructor.name')).toBeUndefined()
    expect(valueAt({ a: null }, 'a.b')).toBeUndefined()
    expect(valueAt({ a: 'text' }, 'a.length')).toBeUndefined()
  })
})

describe('formatting messages (section 5)', () => {
  test('several errors of one field are joined with commas', () => {
    expect(joinFieldErrors([missing, noEmail])).toBe(`${missing}, ${noEmail}`)
    expect(joinFieldErrors([missing])).toBe(missing)
    expect(joinFieldErrors([])).toBeNull()
    expect(joinFieldErrors(undefined)).toBeNull()
  })

  test('a list of messages is one per line, and null if empty', () => {
    expect(formMessages(['First', 'Second'])).toBe('First\nSecond')
    expect(formMessages('Alone')).toBe('Alone')
    expect(formMessages([])).toBeNull()
    expect(formMessages('')).toBeNull()
    expect(formMessages(['First', ' '])).toBe('First')
    expect(formMessages(null)).toBeNull()
  })
})
