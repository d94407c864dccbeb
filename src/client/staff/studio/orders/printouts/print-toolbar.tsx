import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './printouts.module.css'
import { type PrintOptions, paperSizes } from './use-print-options.ts'

type PrintToolbarProps = { job: JobParams; printOptions: PrintOptions; children?: ReactNode }

/** Selects for the print options, and the print button. Not printed. */
export const PrintToolbar = ({ job: { studioId, jobId }, printOptions, children }: PrintToolbarProps) => {
  const groups = toPage(useStaffQuery(groupCalls.list, { params: { studioId, jobId } }).data ?? []).resultItems
  const options = [
    { value: '', label: 'Everyone' },
    ...groups.map(({ id, name, subjectCount }) => ({ value: String(id), label: `${name} (${subjectCount})` })),
  ]
  return (
    <div className={styles.tools}>
      <Field label="Who">
        <Select options={options} value={printOptions.groupId} onValue={printOptions.chooseGroup} />
      </Field>
      <Field label="Paper">
        <Select options={paperSizes} value={printOptions.paper} onValue={printOptions.choosePaper} />
      </Field>
      {children}
      <Button icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
    </div>
  )
}
