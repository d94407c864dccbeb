import { useState } from 'react'
import { chooseTheme, currentTheme, type Theme } from '../device/theme.ts'
import { RadioGroup, type RadioOption } from '../ui/radio-group.tsx'

const options: readonly RadioOption<Theme>[] = [
  { value: 'system', label: 'Like this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Light, dark, or as the device has it; kept on this device. */
export const ThemeChoice = () => {
  const [theme, setTheme] = useState(currentTheme)
  const choose = (wanted: Theme) => {
    chooseTheme(wanted)
    setTheme(wanted)
  }
  return <RadioGroup legend="Appearance" options={options} value={theme} onValue={choose} />
}
