import { describe, expect, test } from 'vitest'
import { fromDateTimeInput, toDateTimeInput } from '#client/staff/kit/form/datetime-input.ts'
import {
  blankPrefield,
  prefieldFromTemplate,
  prefieldRules,
  prefieldsBody,
  prefieldsFormValues,
} from '#client/staff/studio/job-editor/prefield-values.ts'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import { validate } from '#domain/shared/validators.ts'

const grade: JobSettings['prefields'][number] = {
  id: 7,
  name: 'Grade',
  label: 'Grade',
  inputType: 'text' as const,
  required: true,
  hasOptions: true,
  options: [
    { id: 1, value: 'K' },
    { id: 4, value: '1' },
  ],
  templateId: 3,
}
const settings = { prefields: [grade], templates: [{ ...grade, id: 3 }] } as unknown as JobSettings // only the properties read here

describe('prefield form values', () => {
  test('saved fields are submitted unchanged if the form is not edited', () => {
    const values = prefieldsFormValues(settings)
    expect(values.fields).toMatchObject([{ fieldId: 7, options: 'K\n1' }])
    expect(prefieldsBody(settings)(values).fields).toEqual([grade])
  })

  test('an option whose text is not changed is sent with its id, and a new option with id 0', () => {
    const [first = blankPrefield()] = prefieldsFormValues(settings).fields
    const { fields } = prefieldsBody(settings)({ fields: [{ ...first, options: ' 1 \n\n2\nK' }] })
    expect(fields[0]?.options).toEqual([
      { id: 4, value: '1' },
      { id: 0, value: '2' },
      { id: 1, value: 'K' },
    ])
  })

  test('a field created from a template is sent without an id', () => {
    const newField = prefieldFromTemplate({ ...grade, id: 3 })
    const { fields } = prefieldsBody(settings)({ fields: [newField] })
    expect(fields).toMatchObject([{ name: 'Grade', templateId: 3, options: grade.options }])
    expect(fields[0]).not.toHaveProperty('id')
  })

  test('a field needs a unique name and, if it has options, at least one option and no duplicates', () => {
    const teamField = { ...blankPrefield(), name: 'Team' }
    const fields = [
      teamField,
      { ...teamField, name: ' team' },
      blankPrefield(),
      { ...teamField, name: 'Size', hasOptions: true },
    ]
    const fieldWithDuplicateOptions = { ...teamField, name: 'Shirt', hasOptions: true, options: 'S\ns' }
    expect(validate({ fields: [...fields, fieldWithDuplicateOptions] }, prefieldRules)).toEqual({
      'fields.0.name': ['Two fields have this name'],
      'fields.1.name': ['Two fields have this name'],
      'fields.2.name': ['This field is required'],
      'fields.3.options': ['Requires at least 1 item'],
      'fields.4.options': ['Two options are the same'],
    })
  })
})

test('datetime inputs show and parse times in the studio’s time zone', () => {
  expect(toDateTimeInput('2027-05-01T12:00:00.000Z', 'America/New_York')).toBe('2027-05-01T08:00')
  expect(fromDateTimeInput('2027-05-01T08:00', 'America/New_York')).toBe('2027-05-01T12:00:00.000Z')
  expect([toDateTimeInput(null, 'UTC'), fromDateTimeInput('', 'UTC')]).toEqual(['', null])
})
