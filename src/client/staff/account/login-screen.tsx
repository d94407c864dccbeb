import { useAtomValue } from 'jotai'
import { Link, Redirect, useLocation } from 'wouter'
import { required } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { staffUrls } from '../kit/routing/staff-urls.ts'
import { claimsAtom, signIn } from '../kit/session/current-session.ts'
import styles from './sign-in.module.css'
import { applyPreferences, currentReturnUrl } from './start-session.ts'
import { useFormSubmit } from './use-form-submit.ts'

/** Shown after a session expired (section 8). */
export const sessionExpiredMessage = 'Session expired. Please log in again.'

const rules = { username: required<unknown>(), password: required<unknown>() }

export type LoginRoute = { ret?: string | undefined; expired: boolean }

/** The staff login. Continues to the requested address. */
export const LoginScreen = ({ ret, expired }: LoginRoute) => {
  const [, navigate] = useLocation()
  const claims = useAtomValue(claimsAtom)
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'username' | 'password', unknown>({
    rules,
    send: ({ username, password }) => signIn(username.trim(), password),
    onSuccess: () => {
      void applyPreferences()
      navigate(currentReturnUrl(ret), { replace: true })
    },
  })

  // Already signed in, here or in another tab.
  if (claims) return <Redirect to={currentReturnUrl(ret)} replace />
  return (
    <PlainPage title="Studio Login">
      {expired && <Notice tone="attention">{sessionExpiredMessage}</Notice>}
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" errors={fieldErrors.username}>
          <TextInput type="email" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" errors={fieldErrors.password}>
          <TextInput type="password" name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" loading={loading} wide>
          Log in
        </Button>
      </Form>
      <ul className={styles.links}>
        <li>
          <Link href={staffUrls.forgotPassword()}>Forgot your password?</Link>
        </li>
        <li>
          <Link href={staffUrls.setup()}>Set up a new studio</Link>
        </li>
      </ul>
    </PlainPage>
  )
}
