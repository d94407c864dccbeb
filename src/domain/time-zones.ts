/** The time zones a studio may be in: its days begin and end by it. Both databases and every browser know these names. */
export const timeZones: readonly { id: string; name: string }[] = [
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

export const isTimeZone = (id: string): boolean => timeZones.some((zone) => zone.id === id)
