type TimeZone = { id: string; name: string }

const unitedStatesZones: readonly TimeZone[] = [
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

const unitedStatesIds = new Set(unitedStatesZones.map(({ id }) => id))

/** Old names that engines still list but some databases no longer know, and their current names. */
const currentNameByOldName = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Godthab': 'America/Nuuk',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
)

/** The current name for an old name in the list above; any other name is returned unchanged. */
export const canonicalTimeZone = (id: string): string => currentNameByOldName.get(id) ?? id

/**
 * The time zones a studio can choose; they determine when its days begin and end. Those of the United States come first
 * under their common names, then all others; always with current names, whatever the browser calls them.
 */
export const timeZones: readonly TimeZone[] = [
  ...unitedStatesZones,
  ...[...new Set(Intl.supportedValuesOf('timeZone').map(canonicalTimeZone))]
    .filter((id) => !unitedStatesIds.has(id))
    .toSorted()
    .map((id) => ({ id, name: id.replaceAll('_', ' ') })),
]

/** Whether this engine knows the time zone under any of its names; the database is checked separately. */
export const isTimeZone = (id: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: id })
    return true
  } catch {
    return false
  }
}
