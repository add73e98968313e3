<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="tiles" tilewidth="16" tileheight="16" tilecount="16" columns="8">
 <image source="tiles.png" width="128" height="32"/>
 <tile id="0" type="solid"/>
 <tile id="1" type="slope_up"/>
 <tile id="2" type="slope_down"/>
 <tile id="3" type="ceiling_up"/>
 <tile id="4" type="ceiling_down"/>
 <tile id="5" type="half_up_low"/>
 <tile id="6" type="half_up_high"/>
 <tile id="7" type="half_down_high"/>
 <tile id="8" type="half_down_low"/>
 <tile id="9" type="one_way"/>
 <tile id="10" type="sensor"/>
 <tile id="11" type="solid">
  <properties>
   <property name="material" value="ice"/>
  </properties>
 </tile>
 <tile id="12" type="empty"/>
 <tile id="13" type="slope_up">
  <properties>
   <property name="material" value="ice"/>
  </properties>
 </tile>
 <tile id="14" type="slope_down">
  <properties>
   <property name="material" value="ice"/>
  </properties>
 </tile>
 <tile id="15" type="empty"/>
</tileset>
