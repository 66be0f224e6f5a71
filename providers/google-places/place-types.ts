/** Business types that Google knows by name (Table A of its place types), as of 2026-11. */
const PLACE_TYPES: ReadonlySet<string> = new Set(
  `accounting acai_shop adventure_sports_center afghani_restaurant african_restaurant airport american_restaurant amphitheatre
  amusement_center amusement_park apartment_building apartment_complex aquarium arena art_gallery art_studio asian_restaurant
  asian_grocery_store astrologer atm auditorium auto_parts_store bagel_shop bakery bank banquet_hall bar bar_and_grill barbecue_restaurant
  barber_shop beautician beauty_salon bed_and_breakfast bicycle_store body_art_service book_store botanical_garden bowling_alley
  brazilian_restaurant breakfast_restaurant brunch_restaurant buffet_restaurant butcher_shop cafe cafeteria campground candy_store
  car_dealer car_rental car_repair car_wash casino cat_cafe catering_service cell_phone_store cemetery child_care_agency
  childrens_camp chinese_restaurant chiropractor chocolate_shop church clothing_store coffee_shop comedy_club community_center
  concert_hall condominium_complex confectionery consultant convenience_store convention_center corporate_office cottage courier_service
  courthouse cultural_center dance_hall day_care_center deli dental_clinic dentist department_store dessert_restaurant
  dessert_shop diner discount_store doctor dog_cafe dog_park donut_shop drugstore electric_vehicle_charging_station electrician
  electronics_store embassy event_venue extended_stay_hotel farm farmstay fast_food_restaurant ferry_terminal fine_dining_restaurant
  fire_station fishing_charter fitness_center florist food_court food_delivery food_store foot_care french_restaurant funeral_home
  furniture_store garden gas_station gift_shop golf_course government_office greek_restaurant grocery_store guest_house gym
  hair_care hair_salon hamburger_restaurant hardware_store health_food_store historical_place home_goods_store home_improvement_store
  hospital hostel hotel housing_complex ice_cream_shop ice_skating_rink indian_restaurant indonesian_restaurant inn
  insurance_agency internet_cafe italian_restaurant japanese_restaurant jewelry_store juice_shop karaoke korean_restaurant laundry
  lawyer lebanese_restaurant library liquor_store local_government_office locksmith lodging makeup_artist marina market massage
  medical_lab mediterranean_restaurant mexican_restaurant middle_eastern_restaurant mobile_home_park mosque motel movie_rental
  movie_theater moving_company museum nail_salon night_club observation_deck off_roading_area opera_house painter park parking
  performing_arts_theater pet_store pharmacy philharmonic_hall physiotherapist picnic_ground pizza_restaurant planetarium plumber police
  post_office preschool primary_school private_guest_room psychic pub public_bath ramen_restaurant ranch real_estate_agency
  resort_hotel restaurant roofing_contractor rv_park sandwich_shop sauna school seafood_restaurant secondary_school shipping_service
  shoe_store shopping_mall skateboard_park ski_resort skin_care_clinic spa spanish_restaurant sporting_goods_store sports_club
  sports_coaching sports_complex stable stadium steak_house storage summer_camp_organizer supermarket sushi_restaurant swimming_pool
  synagogue tailor tanning_studio taxi_stand tea_house telecommunications_service_provider tennis_court thai_restaurant toll_station
  tour_agency tourist_attraction train_station travel_agency truck_stop turkish_restaurant university vegan_restaurant
  vegetarian_restaurant veterinary_care vietnamese_restaurant visitor_center warehouse_store water_park wedding_venue wellness_center
  wholesaler wine_bar yoga_studio zoo`.split(/\s+/),
);

/** The name that Google has for a business type as people type it: "Dentists" is `dentist`. Undefined where it has none. */
export function placeTypeOf(typed: string): string | undefined {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');
  const singular = [name, name.replace(/s$/, ''), name.replace(/ies$/, 'y'), name.replace(/es$/, '')];
  return singular.find((one) => PLACE_TYPES.has(one));
}
