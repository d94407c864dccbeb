import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { checkSlug, setUpStudio, type TokenPair } from '#contract/system/auth.ts'
import { onboardingRules } from '#domain/studio/onboarding.ts'
import { slugError, slugFromName } from '#domain/studio/studio-slug.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import styles from './sign-in.module.css'
import { startSession } from './start-session.ts'
import { useFormSubmit } from './use-form-submit.ts'

type Name = 'studioName' | 'slug' | 'accountNumber' | 'name' | 'email' | 'password' | 'again'

const rules = { ...onboardingRules, again: newPasswordRules.again } as const

/** Debounce in milliseconds before the server checks whether an address is free. */
const pauseMs = 300

/** Message about the typed address, or null if it is free. */
const useSlugMessage = (slug: string): { slug: string; message: string | null } | null => {
  const [availability, setAvailability] = useState<{ slug: string; message: string | null } | null>(null)
  useEffect(() => {
    if (slug === '') return
    const slugProblem = slugError(slug)
    if (slugProblem) return setAvailability({ slug, message: slugProblem })
    const asking = new AbortController()
    const pause = setTimeout(async () => {
      const answer = await callApi(checkSlug, { query: { slug }, signal: asking.signal })
      if (answer.ok && !asking.signal.aborted) setAvailability({ slug, message: answer.data.message })
    }, pauseMs)
    return () => {
      clearTimeout(pause)
      asking.abort()
    }
  }, [slug])
  return availability?.slug === slug && slug !== '' ? availability : null
}

/** The address of the studio's page. It follows the name until the user types another. */
const useSlug = () => {
  const [slug, setSlug] = useState('')
  const [isChosen, setChosen] = useState(false)
  return {
    slug,
    suggestFor: (studioName: string) => {
      if (!isChosen) setSlug(slugFromName(studioName))
    },
    choose: (typed: string) => {
      setChosen(typed !== '')
      setSlug(typed.toLowerCase().replace(/\s+/g, '-'))
    },
  }
}

/** Registers a studio: its name and address, its account number with the partner, and its owner. */
export const Onboarding = ({ accountNumber }: { accountNumber: string }) => {
  const [, navigate] = useLocation()
  const { slug, suggestFor, choose } = useSlug()
  const availability = useSlugMessage(slug)
  const { fields, errors, loading, submit } = useFormSubmit<Name, TokenPair>({
    rules: rules as never, // the server's rules for text fields, and the rule for the repeated password
    send: ({ again: _, ...typed }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return callApi(setUpStudio, { body: { ...typed, ...(timeZone && { timeZone }) } })
    },
    done: (pair) => navigate(startSession(pair), { replace: true }),
  })
  const slugErrors = fields.slug ?? (availability?.message ? [availability.message] : undefined)
  return (
    <PlainPage title="Set up your studio">
      <p>Five minutes from here you have a first event. You can change all of this later, but for your email.</p>
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Studio name" errors={fields.studioName}>
          <TextInput name="studioName" autoComplete="organization" maxLength={100} onValue={suggestFor} />
        </Field>
        <Field
          label="Your page’s address"
          hint={`Where parents find you: ${location.host}/${slug || 'your-studio'}`}
          errors={slugErrors}
        >
          <TextInput
            name="slug"
            value={slug}
            onValue={choose}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={63}
          />
        </Field>
        {availability && availability.message === null && (
          <p className={styles.soft} role="status">
            This address is free.
          </p>
        )}
        <Field
          label="Account number"
          hint="The one the partner knows you by. You may leave it out for now."
          errors={fields.accountNumber}
          optional
        >
          <TextInput
            name="accountNumber"
            defaultValue={accountNumber}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={40}
          />
        </Field>
        <Field label="Your name" errors={fields.name}>
          <TextInput name="name" autoComplete="name" maxLength={100} />
        </Field>
        <Field label="Email" hint="You sign in with it." errors={fields.email}>
          <TextInput type="email" name="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <NewPasswordFields errors={fields} />
        <Button type="submit" loading={loading} wide>
          Set up my studio
        </Button>
      </Form>
      <ul className={styles.ways}>
        <li>
          <Link href={urls.login()}>I have an account</Link>
        </li>
      </ul>
    </PlainPage>
  )
}
