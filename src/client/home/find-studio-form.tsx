import ArrowRight from 'lucide-react/icons/arrow-right'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { validationMessages } from '#domain/shared/validators.ts'
import { urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './home-screen.module.css'

const hint = 'It’s on your photo card or email'
const invalidMessage = 'Enter the studio’s name as on your card, like “riverside”'

/**
 * The slug in typed or pasted text: a studio's name ("Riverside" or "summit sports") or any of its links. Undefined if
 * it contains none.
 */
export const slugFromText = (text: string): string | undefined => {
  const path = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
  const [first = '', second = ''] = path.split('/')
  const isHost = path.includes('/') && (second !== '' || first.includes('.'))
  const slug = (isHost ? second : first).replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug) ? slug : undefined
}

/** Leads a customer with an access code to the studio's page, where it is entered. */
export const FindStudioForm = () => {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const submit = () => {
    const studioSlug = slugFromText(text)
    setError(studioSlug ? null : text.trim() === '' ? validationMessages.required : invalidMessage)
    if (studioSlug) navigate(urls.customerStudio({ studioSlug }))
  }
  return (
    <Form onSubmit={submit}>
      <Field label="Your photography studio" hint={hint} errors={error}>
        <TextInput
          name="studio"
          size="lg"
          autoCapitalize="none"
          autoComplete="organization"
          spellCheck={false}
          value={text}
          onValue={setText}
        />
      </Field>
      <Button type="submit" size="lg" icon={ArrowRight} iconSide="right" className={styles.go} wide>
        Find my photos
      </Button>
    </Form>
  )
}
