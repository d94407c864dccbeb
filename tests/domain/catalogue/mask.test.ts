import { describe, expect, test } from 'vitest'
import { isBrokenMask, isMasked, maskFieldAnswer, maskNodeText } from '#domain/catalogue/mask.ts'

const nodeWithSources = (dataSource: string | null, altDataSource: string | null = null) => ({
  dataSource,
  altDataSource,
})

describe('masked texts of nodes with a private data source (section 5)', () => {
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
  ])('a text from the source %s with the value %s is masked as %s', (source, value, masked) => {
    expect(maskNodeText(nodeWithSources(source), value)).toBe(masked)
    expect(maskNodeText(nodeWithSources('nickname', source), value)).toBe(masked)
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
  ])('a text from the source %s with the value %s is not masked', (source, value) =>
    expect(maskNodeText(nodeWithSources(source), value)).toBe(value),
  )
})

test('the name of a question determines how its answer is masked', () => {
  expect(['E-mail', 'Cell', 'Teacher'].map((name) => maskFieldAnswer(name, 'ada@engine.test'))).toEqual([
    'ad***@engine.test',
    'ada@engine.test',
    'ada@engine.test',
  ])
  expect(maskFieldAnswer('Mobile', '555-123-4567')).toBe('***-***-4567')
})

describe('masked inputs', () => {
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
  ])(
    'the input %j for the value %j is an unchanged mask: %s, a broken mask: %s',
    (shown, original, isUnchanged, isBroken) => {
      expect([isMasked({ shown, original }), isBrokenMask({ shown, original })]).toEqual([isUnchanged, isBroken])
    },
  )
})
