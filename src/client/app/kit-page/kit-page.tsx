import { useState } from 'react'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { Field } from '#ui/form/field.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Select } from '#ui/form/select.tsx'
import { accentProperties } from '#ui/theme/accent.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { Buttons, Type } from './kit-buttons.tsx'
import { Floating } from './kit-dialogs.tsx'
import { Messages, Navigation, Waiting } from './kit-feedback.tsx'
import { Choices, Fields, Forms } from './kit-fields.tsx'
import styles from './kit-page.module.css'

const setTheme = (theme: string) => {
  document.documentElement.dataset.theme = theme
}

const setAccent = (hex: string) => {
  const root = document.documentElement.style
  for (const suffix of ['light', 'dark', 'ink-light', 'ink-dark']) root.removeProperty(`--studio-accent-${suffix}`)
  for (const [property, value] of Object.entries(accentProperties(hex))) root.setProperty(property, value)
}

const accents = [
  { value: '', label: 'Fieldproof’s own' },
  { value: '#c8102e', label: 'Rapids red' },
  { value: '#f5c518', label: 'School-bus yellow' },
  { value: '#0f766e', label: 'Lake green' },
  { value: '#5b21b6', label: 'Summit violet' },
]

const Head = () => {
  const [theme, setThemeChoice] = useState<'system' | 'light' | 'dark'>('system')
  return (
    <header className={styles.head}>
      <div>
        <h1>The kit</h1>
        <p className={styles.lead}>Every part of the interface, in every state.</p>
      </div>
      <div className={styles.switches}>
        <RadioGroup
          legend="Theme"
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={theme}
          onValue={(next) => {
            setThemeChoice(next)
            setTheme(next)
          }}
        />
        <Field label="Studio accent">
          <Select options={accents} defaultValue="" onValue={setAccent} />
        </Field>
      </div>
    </header>
  )
}

/** Shows every UI kit component in every state, light and dark; available at `/kit` in development only. */
export const KitPage = () => (
  <main className={styles.page}>
    <Head />
    <Type />
    <Buttons />
    <Fields />
    <Choices />
    <Forms />
    <Floating />
    <Messages />
    <Waiting />
    <Navigation />
    <ConfirmHost />
    <ToastHost />
  </main>
)
