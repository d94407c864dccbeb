import { useEffect, useState } from 'react'
import { patchOwnPreferences } from '#contract/studio/accounts.ts'
import { RadioGroup, type RadioOption } from '#ui/form/radio-group.tsx'
import { chooseTheme, currentTheme, type Theme } from '#ui/theme/theme.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'
import { applyDarkMode } from './start-session.ts'

const options: readonly RadioOption<Theme>[] = [
  { value: 'system', label: 'Match device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark', hint: 'On every device you sign in to' },
]

/** Chooses the light, dark or system theme. Dark is saved for all devices of the user. */
export const ThemeChoice = ({ useDarkMode }: { useDarkMode: boolean }) => {
  const [theme, setTheme] = useState(currentTheme)
  const { mutate } = useStaffMutation(patchOwnPreferences)
  // Applies a change that was made on another device.
  useEffect(() => {
    applyDarkMode({ useDarkMode })
    setTheme(currentTheme())
  }, [useDarkMode])
  const choose = (chosenTheme: Theme) => {
    chooseTheme(chosenTheme)
    setTheme(chosenTheme)
    void mutate({ body: { UseDarkMode: chosenTheme === 'dark' } })
  }
  return <RadioGroup legend="Appearance" options={options} value={theme} onValue={choose} />
}
