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
import { slugFromText } from './slug-from-text.ts'

const hint = 'The name or web address on the card or e-mail you were given'
const unlike = 'Type the studio’s name as it stands on the card, for example “riverside”'

/** Leads a customer with an access code to the studio's page, where it is entered. */
export const FindStudioForm = () => {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const submit = () => {
    const studioSlug = slugFromText(text)
    setError(studioSlug ? null : text.trim() === '' ? validationMessages.required : unlike)
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
        Find my pictures
      </Button>
    </Form>
  )
}
