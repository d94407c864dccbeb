import { useState } from 'react'
import { renewDownload } from '#contract/customer/download-calls.ts'
import { email, type FieldErrors, fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

const emptyInput = { orderNumber: '', email: '' }
const rules = { orderNumber: required(), email: [required(), email()] }

/** Renews an expired download link, for customers who know the order. */
export const RenewDownloadForm = ({ linkId, onRenewed }: { linkId: string; onRenewed: () => void }) => {
  const [input, setInput] = useState(emptyInput)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [error, setError] = useState<readonly string[]>([])
  const [isSending, setIsSending] = useState(false)
  const renew = async () => {
    const errors = validate(input, rules)
    setErrors(errors)
    setError(isValid(errors) ? [] : [fixFieldsMessage])
    if (!isValid(errors)) return
    setIsSending(true)
    const body = { orderNumber: input.orderNumber.trim(), email: input.email.trim() }
    const response = await callApi(renewDownload, { params: { linkId }, body })
    setIsSending(false)
    if (response.ok) return onRenewed()
    setError(response.errors)
  }
  return (
    <Form onSubmit={() => void renew()} error={error}>
      <Field label="Order #" errors={errors.orderNumber}>
        <TextInput
          name="orderNumber"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={input.orderNumber}
          onValue={(orderNumber) => setInput((before) => ({ ...before, orderNumber }))}
        />
      </Field>
      <Field label="Email" errors={errors.email}>
        <TextInput
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={input.email}
          onValue={(value) => setInput((before) => ({ ...before, email: value }))}
        />
      </Field>
      <Button type="submit" loading={isSending}>
        Renew the link
      </Button>
    </Form>
  )
}
