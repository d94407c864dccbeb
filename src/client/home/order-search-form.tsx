import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toastError } from '#ui/toast/toast.ts'
import {
  emptyOrderSearch,
  type FindOrder,
  type OrderSearchErrors,
  orderNotFoundMessage,
  trimOrderSearch,
  validateOrderSearch,
} from './order-search.ts'

const unchecked: OrderSearchErrors = { fields: {}, form: null }

/** The order search (sections 2, 4 and 5): by email and order number, leads to the order's screen. */
export const OrderSearchForm = ({ find }: { find: FindOrder }) => {
  const [model, setModel] = useState(emptyOrderSearch)
  const [checked, setChecked] = useState(unchecked)
  const [loading, setLoading] = useState(false)
  const [, navigate] = useLocation()

  const search = async (form: HTMLFormElement) => {
    const trimmedModel = trimOrderSearch(model)
    const errors = validateOrderSearch(trimmedModel)
    setChecked(errors)
    if (errors.form !== null) return
    setLoading(true)
    const result = await find(trimmedModel)
    setLoading(false)
    if (result !== 'not-found') {
      if ('address' in result) return navigate(result.address)
      return setChecked({ fields: {}, form: result.failure })
    }
    setModel(emptyOrderSearch)
    form.reset()
    toastError([orderNotFoundMessage])
  }
  const submit = (event: FormEvent<HTMLFormElement>) => void search(event.currentTarget)

  return (
    <Form onSubmit={submit} loading={loading} error={checked.form}>
      <Field label="Email" errors={checked.fields.email}>
        <TextInput
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={model.email}
          onValue={(email) => setModel((before) => ({ ...before, email }))}
        />
      </Field>
      <Field label="Order #" errors={checked.fields.orderNumber}>
        <TextInput
          name="orderNumber"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={model.orderNumber}
          onValue={(orderNumber) => setModel((before) => ({ ...before, orderNumber }))}
        />
      </Field>
      <Button type="submit" loading={loading} wide>
        Search
      </Button>
    </Form>
  )
}
