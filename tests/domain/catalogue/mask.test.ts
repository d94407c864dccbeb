import { describe, expect, test } from 'vitest'
import { isBrokenMask, isMasked, maskFieldAnswer, maskNodeText } from '#domain/catalogue/mask.ts'

const fedBy = (dataSource: string | null, altDataSource: string | null = null) => ({ dataSource, altDataSource })

describe('texts are masked if an e-mail address or a phone number is their source (section 5)', () => {
  test.each([
    ['Email', 'ada@engine.test', 'ad***@engine.test'],
    ['phone', '555-123-4567', '***-***-4567'],
    ['phone', '(555) 123-4567', '***-***-4567'],
    ['Mobile', '+1 555.123.4567', '***-***-4567'],
    ['cell', '5551234567', '***-***-4567'],
    ['phone number', '555-123-4567 ext. 8901', '***-***-8901'],
    ['phone', '555-123-4567x89', '***-***-6789'],
    ['phone', ' 555-123-4567 ', '***-***-4567'],
    ['phone', '5551234', '***-***-1234'],
  ])('%s: %s shows as %s', (source, value, shown) => {
    expect(maskNodeText(fedBy(source), value)).toBe(shown)
    expect(maskNodeText(fedBy('nickname', source), value)).toBe(shown)
  })

  test.each([
    ['Email', 'Ada'],
    ['phone', 'Go Rapids!'],
    ['phone', '2027'],
    ['phone', '555-12'],
    ['phone', 'call 555-123-4567'],
    ['phone', '555-123-4567 at home'],
    ['phone', '555-123-4567 ext'],
    ['phone', 'x555-123-4567'],
    [null, '(555) 123-4567'],
    ['First Name', 'ada@engine.test'],
  ])('%s: %s is shown unmasked', (source, value) => expect(maskNodeText(fedBy(source), value)).toBe(value))
})

test('an answer is masked by the name of its question', () => {
  expect(['E-mail', 'Cell', 'Teacher'].map((name) => maskFieldAnswer(name, 'ada@engine.test'))).toEqual([
    'ad***@engine.test',
    'ada@engine.test',
    'ada@engine.test',
  ])
  expect(maskFieldAnswer('Mobile', '555-123-4567')).toBe('***-***-4567')
})

describe('a mask in an input', () => {
  test.each([
    ['ad***@engine.test', 'ada@engine.test', true, false],
    ['***-***-4567', '555-123-4567', true, false],
    ['ad***@engine.tes', 'ada@engine.test', false, true],
    ['***-***-45', '555-123-4567', false, true],
    ['bo@engine.test', 'ada@engine.test', false, false],
    ['', 'ada@engine.test', false, false],
    ['Ada', 'Ada', false, false],
    ['***', '***', false, false],
    ['b***', 'a***', false, false],
  ])('%j for %j is an unchanged mask: %s, broken: %s', (shown, original, masked, broken) => {
    expect([isMasked({ shown, original }), isBrokenMask({ shown, original })]).toEqual([masked, broken])
  })
})
