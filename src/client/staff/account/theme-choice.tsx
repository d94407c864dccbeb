import { useEffect, useState } from 'react'
import { patchOwnPreferences } from '#contract/studio/accounts.ts'
import { RadioGroup, type RadioOption } from '#ui/form/radio-group.tsx'
import { chooseTheme, currentTheme, type Theme } from '#ui/theme/theme.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'
import { applyDarkMode } from './dark-mode.ts'

const options: readonly RadioOption<Theme>[] = [
  { value: 'system', label: 'Like this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark', hint: 'Wherever you sign in' },
]

/** Light, dark or system theme, applied at once. Dark is saved for all devices of the user. */
export const ThemeChoice = ({ useDarkMode }: { useDarkMode: boolean }) => {
  const [theme, setTheme] = useState(currentTheme)
  const { mutate } = useStaffMutation(patchOwnPreferences)
  // Changed on another device.
  useEffect(() => {
    applyDarkMode({ useDarkMode })
    setTheme(currentTheme())
  }, [useDarkMode])
  const choose = (next: Theme) => {
    chooseTheme(next)
    setTheme(next)
    void mutate({ body: { UseDarkMode: next === 'dark' } })
  }
  return <RadioGroup legend="Appearance" options={options} value={theme} onValue={choose} />
}
