type TimeZone = { id: string; name: string }

const ofTheUnitedStates: readonly TimeZone[] = [
  { id: 'America/New_York', name: 'Eastern time' },
  { id: 'America/Chicago', name: 'Central time' },
  { id: 'America/Denver', name: 'Mountain time' },
  { id: 'America/Phoenix', name: 'Mountain time, Arizona' },
  { id: 'America/Los_Angeles', name: 'Pacific time' },
  { id: 'America/Anchorage', name: 'Alaska time' },
  { id: 'America/Adak', name: 'Hawaii–Aleutian time' },
  { id: 'Pacific/Honolulu', name: 'Hawaii time' },
  { id: 'America/Puerto_Rico', name: 'Atlantic time, Puerto Rico and Virgin Islands' },
  { id: 'Pacific/Guam', name: 'Chamorro time, Guam and Northern Marianas' },
  { id: 'Pacific/Pago_Pago', name: 'Samoa time' },
]

const first = new Set(ofTheUnitedStates.map(({ id }) => id))

/**
 * The time zones a studio may be in: its days begin and end by it. Those of the United States first, by the names people know there, then
 * every other by its own. Both databases know these names.
 */
export const timeZones: readonly TimeZone[] = [
  ...ofTheUnitedStates,
  ...Intl.supportedValuesOf('timeZone')
    .filter((id) => !first.has(id))
    .map((id) => ({ id, name: id.replaceAll('_', ' ') })),
]

export const isTimeZone = (id: string): boolean => timeZones.some((zone) => zone.id === id)
