import { Link, useLocation } from 'wouter'
import { resetPassword } from '#contract/system/auth.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Form } from '#ui/form/form.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { toast } from '#ui/toast/toast.ts'
import { staffUrls } from '../kit/routing/staff-urls.ts'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import styles from './sign-in.module.css'
import { useFormSubmit } from './use-form-submit.ts'

/** Target of the emailed link: sets a new password, then opens the login. */
export const ResetPasswordScreen = ({ token }: { token: string | undefined }) => {
  const [, navigate] = useLocation()
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'password' | 'passwordConfirmation', object>({
    rules: newPasswordRules,
    send: ({ password }) => callApi(resetPassword, { body: { token: token ?? '', password } }),
    onSuccess: () => {
      toast('Your password was changed. Log in with the new one', 'success')
      navigate(urls.login(), { replace: true })
    },
  })
  if (!token) {
    return (
      <PlainPage title="Choose a new password">
        <p>This link is incomplete. Open the full link in the email, or ask for a new one.</p>
        <div>
          <ButtonLink href={staffUrls.forgotPassword()}>Ask for a new link</ButtonLink>
        </div>
      </PlainPage>
    )
  }
  return (
    <PlainPage title="Choose a new password">
      <p>A new password signs you out on all devices and ends your API tokens.</p>
      <Form onSubmit={submit} loading={loading} error={errors}>
        <NewPasswordFields errors={fieldErrors} label="New password" />
        <Button type="submit" loading={loading} wide>
          Change my password
        </Button>
      </Form>
      <ul className={styles.links}>
        <li>
          <Link href={staffUrls.forgotPassword()}>Ask for a new link</Link>
        </li>
      </ul>
    </PlainPage>
  )
}
