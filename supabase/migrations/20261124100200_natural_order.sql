-- Names in the order in which people look for them: "Dentist 2" before "Dentist 10", capitals beside small letters.
create collation app.natural_order (provider = icu, locale = 'und-u-kn-true');
