import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { paperSizes } from './print-options.ts'
import styles from './printouts.module.css'
import type { PrintOptions } from './use-print-options.ts'

type PrintToolbarProps = { job: JobParams; state: PrintOptions; children?: ReactNode }

/** Print options. Hidden on paper. */
export const PrintToolbar = ({ job: { studioId, jobId }, state, children }: PrintToolbarProps) => {
  const groups = toPage(useStaffQuery(groupCalls.list, { params: { studioId, jobId } }).data ?? []).resultItems
  const options = [
    { value: '', label: 'Everybody' },
    ...groups.map(({ id, name, subjectCount }) => ({ value: String(id), label: `${name} (${subjectCount})` })),
  ]
  return (
    <div className={styles.tools}>
      <Field label="Who">
        <Select options={options} value={state.groupId} onValue={state.chooseGroup} />
      </Field>
      <Field label="Paper">
        <Select options={paperSizes} value={state.paper} onValue={state.choosePaper} />
      </Field>
      {children}
      <Button icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
    </div>
  )
}
