import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { type ImageExport, listImageExports } from '#contract/studio/portraits/image-exports.ts'
import {
  type ExportFormat,
  type ExportSettings,
  exportFormats,
  exportImageChoices,
  formatDefaults,
} from '#domain/image-exports/export-settings.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { formatLabels, imageChoiceLabels, type SettingsProps } from './export-form-parts.ts'
import styles from './exports.module.css'

/** A yearbook export to which retakes can be added. */
const canHaveRetakes = ({ format, state }: ImageExport): boolean =>
  format === 'pspa' && (state === 'ready' || state === 'expired')

const RetakesField = ({ job, settings, errors, change }: SettingsProps & { job: JobParams }) => {
  const { timeZone } = useStudio()
  const { data } = useStaffQuery(listImageExports, {
    params: { studioId: job.studioId, jobId: job.jobId },
    query: { currentPage: 1, pageSize: 100 },
  })
  const earlier = data ? toPage<ImageExport>(data).resultItems.filter(canHaveRetakes) : []
  if (earlier.length === 0) return null
  const options = earlier.map(({ id, volume, madeAt }) => ({
    value: String(id),
    label: `Only changes since ${volume}, ${formatMoment(madeAt, timeZone)}`,
  }))
  return (
    <Field label="Retakes" errors={errors.retakesOf}>
      <Select
        options={[{ value: '', label: 'All images' }, ...options]}
        value={settings.retakesOf === null ? '' : String(settings.retakesOf)}
        onValue={(value) => change({ retakesOf: value === '' ? null : Number(value) })}
      />
    </Field>
  )
}

/** Changes the format with its defaults. */
const withFormat = (format: ExportFormat): Partial<ExportSettings> => ({
  format,
  ...formatDefaults[format],
  retakesOf: null,
})

/** The format of an export and which images it has. */
export const FormatSettings = (props: SettingsProps & { job: JobParams }) => {
  const { settings, change } = props
  return (
    <div className={styles.fields}>
      <Field label="Format">
        <Select
          options={optionsOf(formatLabels)}
          value={settings.format}
          onValue={(value) => {
            const format = exportFormats.find((name) => name === value)
            if (format) change(withFormat(format))
          }}
        />
      </Field>
      <Field label="Images">
        <Select
          options={optionsOf(imageChoiceLabels)}
          value={settings.images}
          onValue={(value) => {
            const images = exportImageChoices.find((name) => name === value)
            if (images) change({ images })
          }}
        />
      </Field>
      {settings.format === 'pspa' && <RetakesField {...props} />}
    </div>
  )
}
