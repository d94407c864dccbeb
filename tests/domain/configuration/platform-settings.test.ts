import { describe, expect, test } from 'vitest'
import {
  platformSettings,
  type SettingDefinition,
  settingError,
  settingGroups,
  settingKeys,
  settingLabel,
} from '#domain/configuration/platform-settings.ts'

describe('the settings of the platform', () => {
  test.each(settingKeys)('%s has a group, texts, and an initial value that it can have', (key) => {
    const definition: SettingDefinition = platformSettings[key]
    expect(settingGroups).toContain(definition.group)
    expect([definition.label, definition.description].every((text) => /^[A-Z]/.test(text))).toBe(true)
    expect(definition.description).toMatch(/\.$/)
    const isUnset = definition.kind === 'email' && definition.initial === ''
    if (!isUnset) expect(settingError(key, definition.initial)).toBeNull()
  })

  test('each label is used once', () => {
    const labels = Object.values(platformSettings).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })

  const hundred = 'x'.repeat(100)
  test.each([
    ['registration-open', false, null],
    ['registration-open', 'false', 'Choose on or off'],
    ['log-months', 1, null],
    ['log-months', 120, null],
    ['log-months', 0, 'Enter a whole number from 1 to 120'],
    ['log-months', 121, 'Enter a whole number from 1 to 120'],
    ['log-months', 1.5, 'Enter a whole number from 1 to 120'],
    ['log-months', Number.NaN, 'Enter a whole number from 1 to 120'],
    ['log-months', '13', 'Enter a whole number from 1 to 120'],
    ['mail-sender-name', hundred, null],
    ['mail-sender-name', `${hundred}x`, 'Enter at most 100 characters'],
    ['mail-sender-name', 'A\r\nBcc: b@c.test', 'Enter one line of text'],
    ['mail-sender-name', undefined, 'This field is required'],
    ['mail-sender-address', 'shop@pictures.test', null],
    ['mail-sender-address', '', 'This value is not a valid email address'],
    ['mail-sender-address', 'a@b.test\r\nBcc: b@c.test', 'This value is not a valid email address'],
    ['mail-reply-to', '', null],
    ['mail-reply-to', 'nobody', 'This value is not a valid email address'],
  ] as const)('%s with the value %j is answered with %j', (key, value, error) => {
    expect(settingError(key, value)).toBe(error)
  })

  test.each([
    ['registration-open', true, 'On'],
    ['registration-open', false, 'Off'],
    ['requests-per-minute', 30_000, '30,000 requests'],
    ['import-days', 1, '1 day'],
    ['studio-storage', 1, '1 GB'],
    ['registration-fee', 1250, '1,250 basis points (12.5%)'],
    ['mail-reply-to', '', 'None'],
    ['mail-sender-name', 'Fieldproof', 'Fieldproof'],
  ] as const)('%s with the value %j is shown as “%s”', (key, value, label) => {
    expect(settingLabel(key, value)).toBe(label)
  })
})
