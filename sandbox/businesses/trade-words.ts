/** What businesses of a type call themselves. The first word of the key that fits the typed category decides. */
const tradeWords: Readonly<Record<string, readonly string[]>> = {
  plumb: ['Plumbing', 'Plumbing & Heating', 'Drain & Sewer', 'Plumbing Co.', 'Pipe Works'],
  electric: ['Electric', 'Electrical Services', 'Wiring & Lighting', 'Electric Co.'],
  roof: ['Roofing', 'Roofing & Siding', 'Roof Repair', 'Roofing Co.'],
  hvac: ['Heating & Air', 'Climate Control', 'Air Conditioning', 'HVAC Services'],
  paint: ['Painting', 'Painters', 'Painting & Decorating', 'Finishes'],
  landscap: ['Landscaping', 'Lawn & Garden', 'Landscape Design', 'Grounds Care'],
  clean: ['Cleaning', 'Cleaning Services', 'Janitorial', 'Maid Service'],
  restaurant: ['Grill', 'Kitchen', 'Table', 'Diner', 'Bistro', 'Eatery', 'Smokehouse'],
  pizza: ['Pizza', 'Pizzeria', 'Pizza Kitchen', 'Pie Co.'],
  cafe: ['Café', 'Coffee House', 'Coffee', 'Espresso Bar'],
  coffee: ['Coffee House', 'Coffee', 'Roasters', 'Café'],
  bak: ['Bakery', 'Bread Co.', 'Bakehouse', 'Pastry Shop'],
  bar: ['Tavern', 'Bar & Grill', 'Taproom', 'Lounge'],
  dent: ['Dental', 'Family Dentistry', 'Dental Care', 'Smiles'],
  doctor: ['Medical Group', 'Family Practice', 'Clinic', 'Health Partners'],
  chiro: ['Chiropractic', 'Spine & Wellness', 'Chiropractic Center'],
  vet: ['Animal Hospital', 'Veterinary Clinic', 'Pet Care', 'Animal Clinic'],
  law: ['Law Office', 'Law Group', 'Legal', '& Associates, Attorneys'],
  attorney: ['Law Office', 'Law Group', 'Legal', '& Associates, Attorneys'],
  account: ['Accounting', 'CPA Group', 'Tax & Accounting', 'Bookkeeping'],
  insur: ['Insurance', 'Insurance Agency', 'Insurance Group', 'Coverage Partners'],
  real: ['Realty', 'Real Estate', 'Homes', 'Property Group'],
  hair: ['Hair Studio', 'Salon', 'Hair & Co.', 'Styling Lounge'],
  salon: ['Salon', 'Beauty Bar', 'Hair Studio', 'Salon & Spa'],
  barber: ['Barber Shop', 'Barbers', 'Cuts', 'Grooming Co.'],
  auto: ['Auto Repair', 'Automotive', 'Motor Works', 'Car Care'],
  mechanic: ['Auto Repair', 'Garage', 'Motor Works', 'Car Care'],
  gym: ['Fitness', 'Gym', 'Strength Club', 'Training Studio'],
  florist: ['Florist', 'Flowers', 'Floral Design', 'Blooms'],
  photo: ['Photography', 'Photo Studio', 'Portraits', 'Images'],
  moving: ['Moving', 'Movers', 'Moving & Storage', 'Relocation'],
  contract: ['Construction', 'Builders', 'Contracting', 'Remodeling'],
  hotel: ['Inn', 'Hotel', 'Lodge', 'Suites'],
};

/** The words for a typed category; for one that is not in the table, the category itself and plain variants of it. */
export function wordsFor(category: string): readonly string[] {
  const words = category.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  for (const [stem, names] of Object.entries(tradeWords)) {
    if (words.some((word) => word.startsWith(stem))) return names;
  }
  const title = titleCase(category) || 'Services';
  return [title, `${title} Co.`, `${title} Services`, `${title} Works`, `${title} Group`];
}

function titleCase(text: string): string {
  const words = text.trim().split(/\s+/).filter(Boolean).slice(0, 5);
  return words
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ')
    .slice(0, 60);
}
