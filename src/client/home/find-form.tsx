import ArrowRight from 'lucide-react/icons/arrow-right'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { validationMessages } from '#domain/shared/validators.ts'
import { unreachableMessage } from '#local/transport/failure-cause.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { FindResult } from './find-by-text.ts'
import styles from './home-screen.module.css'

const FoundChoices = lazy(async () => ({ default: (await import('./found-choices.tsx')).FoundChoices }))

const noResult: FindResult = {}

/** One field for what a parent has: a photo code, a link with a code, or the studio's name. */
export const FindForm = ({ initialText = '' }: { initialText?: string }) => {
  const [text, setText] = useState(initialText)
  const [{ error, choices }, setResult] = useState(noResult)
  const [loading, setLoading] = useState(false)
  const [, navigate] = useLocation()
  const find = async () => {
    if (text.trim() === '') return setResult({ error: validationMessages.required })
    setResult(noResult)
    setLoading(true)
    // Loaded on demand: a landing page includes neither the API client nor the database.
    const result = await import('./find-by-text.ts')
      .then(({ findByText }) => findByText(text))
      .catch((): FindResult => ({ error: unreachableMessage() }))
    setLoading(false)
    if (result.url) navigate(result.url)
    else setResult(result)
  }
  return (
    <Form onSubmit={() => void find()} loading={loading}>
      <Field label="Photo code, link or studio name" hint="It’s on your photo card or email" errors={error}>
        <TextInput
          name="find"
          size="lg"
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={text}
          onValue={setText}
        />
      </Field>
      <Button type="submit" size="lg" icon={ArrowRight} iconSide="right" loading={loading} className={styles.go} wide>
        Find my photos
      </Button>
      {choices && (
        <Suspense>
          <FoundChoices choices={choices} />
        </Suspense>
      )}
    </Form>
  )
}
