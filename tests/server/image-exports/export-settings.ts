import { defaultFieldSources } from '#domain/image-exports/export-fields.ts'
import { type ExportFormat, type ExportSettings, formatDefaults } from '#domain/image-exports/export-settings.ts'

/** Settings of a yearbook export: upper halves of the images, without crops of orders. */
export const exportSettings: ExportSettings = {
  ...{ format: 'pspa', ...formatDefaults.pspa, template: { x: 0.5, y: 0.25, height: 0.5 }, usesOrderCrops: false },
  ...{ volume: 'LINCOLN', fields: defaultFieldSources({ fieldNames: [], hasReferences: true }), extraFields: [] },
  retakesOf: null,
}

/** The settings with a format's defaults. */
export const settingsFor = (format: ExportFormat, change: Partial<ExportSettings> = {}): ExportSettings => ({
  ...exportSettings,
  format,
  ...formatDefaults[format],
  ...change,
})
