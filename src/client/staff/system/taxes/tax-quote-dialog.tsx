import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { quoteTax } from '#contract/system/tax-rates.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { usStates } from '#domain/shared/us-states.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

const stateOptions = usStates.map(({ code, name }) => ({ value: code, label: name }))

/** Shows the tax of an address as a checkout would charge it. */
export const TaxQuoteDialog = ({ onClose }: { onClose: () => void }) => {
  const [state, setState] = useState('')
  const [zip, setZip] = useState('')
  const { mutate, busy } = useStaffMutation(quoteTax)
  const [result, setResult] = useState<Awaited<ReturnType<typeof mutate>> | null>(null)
  const errorsOf = (field: string) => (result && !result.ok ? result.fields?.[field] : undefined)
  const test = async () => setResult(await mutate({ body: { state, zip } }, { onError: 'silent' }))
  return (
    <Dialog open onClose={onClose} title="Test an address" size="small">
      <Form onSubmit={() => void test()} loading={busy} error={result && !result.ok ? result.errors : null}>
        <Field label="State" errors={errorsOf('state')} required>
          <Select options={stateOptions} placeholder="Choose a state" value={state} onValue={setState} />
        </Field>
        <Field label="ZIP code" errors={errorsOf('zip')} required>
          <TextInput value={zip} onValue={setZip} inputMode="numeric" maxLength={5} />
        </Field>
        <Button type="submit" loading={busy}>
          Test
        </Button>
        <div role="status">
          {result?.ok && (
            <ul>
              <li>{formatMoney(result.data.goodsCents)} tax on goods for $100.00</li>
              <li>{formatMoney(result.data.digitalCents)} tax on downloads for $100.00</li>
              <li>{formatMoney(result.data.shippingCents)} tax on shipping for $10.00</li>
            </ul>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
