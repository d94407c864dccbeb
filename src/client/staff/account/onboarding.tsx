import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { checkSlug, type SignInAnswer, setUpStudio } from '#contract/system/auth.ts'
import { onboardingRules } from '#domain/studio/onboarding.ts'
import { slugError, slugFromName } from '#domain/studio/studio-slug.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import styles from './sign-in.module.css'
import { continueSignIn } from './start-session.ts'
import { useFormSubmit } from './use-form-submit.ts'

type FieldName = 'studioName' | 'slug' | 'accountNumber' | 'name' | 'email' | 'password' | 'passwordConfirmation'

const rules = { ...onboardingRules, passwordConfirmation: newPasswordRules.passwordConfirmation } as const

/** Debounce in milliseconds before the server checks whether the slug is free. */
const debounceMs = 300

/** Checks a typed slug: `message` says why it is invalid or taken, and is null if it is free. Returns null until this is known. */
const useSlugAvailability = (slug: string): { slug: string; message: string | null } | null => {
  const [availability, setAvailability] = useState<{ slug: string; message: string | null } | null>(null)
  useEffect(() => {
    if (slug === '') return
    const slugProblem = slugError(slug)
    if (slugProblem) return setAvailability({ slug, message: slugProblem })
    const request = new AbortController()
    const timeout = setTimeout(async () => {
      const answer = await callApi(checkSlug, { query: { slug }, signal: request.signal })
      if (answer.ok && !request.signal.aborted) setAvailability({ slug, message: answer.data.message })
    }, debounceMs)
    return () => {
      clearTimeout(timeout)
      request.abort()
    }
  }, [slug])
  return availability?.slug === slug && slug !== '' ? availability : null
}

/** Slug of the studio's page, derived from the studio's name until the user types a different one. */
const useSlug = () => {
  const [slug, setSlug] = useState('')
  const [isCustomSlug, setCustomSlug] = useState(false)
  return {
    slug,
    suggestFor: (studioName: string) => {
      if (!isCustomSlug) setSlug(slugFromName(studioName))
    },
    setTypedSlug: (typedSlug: string) => {
      setCustomSlug(typedSlug !== '')
      setSlug(typedSlug.toLowerCase().replace(/\s+/g, '-'))
    },
  }
}

/** Registers a studio: its name and address, its account number with the partner, and its owner. */
export const Onboarding = ({ accountNumber }: { accountNumber: string }) => {
  const [, navigate] = useLocation()
  const { slug, suggestFor, setTypedSlug } = useSlug()
  const availability = useSlugAvailability(slug)
  const { fieldErrors, errors, loading, submit } = useFormSubmit<FieldName, SignInAnswer>({
    rules: rules as never, // the types of the server's rules and of the rule for the password confirmation differ
    send: ({ passwordConfirmation: _, ...values }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return callApi(setUpStudio, { body: { ...values, ...(timeZone && { timeZone }) } })
    },
    onSuccess: (signedIn) => navigate(continueSignIn(signedIn), { replace: true }),
  })
  const slugErrors = fieldErrors.slug ?? (availability?.message ? [availability.message] : undefined)
  return (
    <PlainPage title="Set up your studio">
      <p>Your first event in five minutes. You can change everything except your email later.</p>
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Studio name" errors={fieldErrors.studioName}>
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
            onValue={setTypedSlug}
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
          hint="Your account with the partner. You can add it later."
          errors={fieldErrors.accountNumber}
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
        <Field label="Your name" errors={fieldErrors.name}>
          <TextInput name="name" autoComplete="name" maxLength={100} />
        </Field>
        <Field label="Email" hint="You’ll sign in with it." errors={fieldErrors.email}>
          <TextInput type="email" name="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <NewPasswordFields errors={fieldErrors} />
        <Button type="submit" loading={loading} wide>
          Set up my studio
        </Button>
      </Form>
      <ul className={styles.links}>
        <li>
          <Link href={urls.login()}>I have an account</Link>
        </li>
      </ul>
    </PlainPage>
  )
}

type SetupRoute = { accountNumber?: string | undefined; token?: string | undefined }

/** Registers a new studio or, with an invitation's token, joins the studio that sent it. */
export const SetupScreen = ({ accountNumber = '', token }: SetupRoute) =>
  token ? (
    <AcceptInvitation key={token} token={token} />
  ) : (
    <Onboarding key={accountNumber} accountNumber={accountNumber} />
  )
